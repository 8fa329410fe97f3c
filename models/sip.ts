/** Headers of ours, as the specification names them (clauses SIP-05, SIP-06). */
export const sipHeaders = {
  speechId: 'X-Speech-Id',
  speechType: 'X-Speech-Type',
  targetCallee: 'X-Target-Callee',
  sosCall: 'X-SOS-Call',
  /** Of the server, within a call: with whom one talks by now (RFC 3325). */
  assertedIdentity: 'P-Asserted-Identity',
} as const;

/** Times of signalling in ms that the specification leaves open (telephony design 3); those it names are in constants.ts. */
export const sipConstants = {
  userAgent: 'web-dialer',
  iceLongest: 2000,
  keepAlive: 15_000,
  keepAliveAnswer: 5000,
  /** The same, where the network may have just changed. */
  doubtAnswer: 2000,
} as const;

/** How registration stands (clause SIP-11). */
export const registrationStates = ['registering', 'registered', 'unregistering', 'unregistered', 'error', 'invalid_registration'] as const;
export type RegistrationState = (typeof registrationStates)[number];

/** A number as one dials it: digits, `*`, `#`, a leading `+`; never more than 32. Nothing else ever reaches the wire. */
export const dialable = /^\+?[\d*#]{1,32}$/;
