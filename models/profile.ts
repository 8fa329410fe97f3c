import { z } from 'zod';
import { identifierFormats, locales, timeFormats } from './constants.ts';
import { named, portrait } from './define-model.ts';
import { licenceInfo, licensed } from './licence-info.ts';
import { choice, email, flag, name, optionalText, password, phone, timeZoneName, username, wholeNumber } from './rules.ts';

/** Which project a session is for; a person may have one account in several. */
export const sessionProject = z.strictObject({ id: z.uuid(), uid: z.string(), name: z.string() });
export type SessionProject = z.infer<typeof sessionProject>;

/** The pair of opaque tokens of one session. Secrets: they live in the browser's storage adapter and nowhere else. */
export const sessionTokens = z.strictObject({ token: z.string(), refresh: z.string() });
export const sessionGrant = z.strictObject({ ...sessionTokens.shape, project: sessionProject });

/** The signed-in person (spec A3). */
export const profile = z.strictObject({
  id: z.uuid(),
  login: z.string(),
  email: z.string().nullable(),
  name: z.string(),
  locale: z.enum(locales),
  is_verified: z.boolean(),
  avatar_url: portrait.nullable(),
  is_invited: z.boolean(),
  /** One's role requires a second factor, and there is none: nothing else can be done before it is set up. */
  must_enrol: z.boolean(),
  role: z.strictObject({ ...named.shape, permissions: z.array(z.string()), available_roles: z.array(z.uuid()) }).nullable(),
  domains: z.array(named),
  project: z.strictObject({ ...sessionProject.shape, description: z.string().nullable() }),
  profile: z.strictObject({
    address: z.string().nullable(),
    phone: z.string().nullable(),
    /** Hours before or after UTC; of a zone with a name the present offset, rounded. */
    time_zone: z.number(),
    /** The zone by its IANA name; null where the person has chosen hours only. */
    time_zone_name: z.string().nullable(),
    time_format: z.enum(timeFormats),
    identifier_format: z.enum(identifierFormats),
    /** The number the web phone registers with; the password lives as long as the session and never reaches a machine. */
    sip_number: z.strictObject({ number: z.string(), name: z.string(), password: z.string().optional() }).nullable(),
    is_app_popup_active: z.boolean(),
    notification_settings: z.record(z.string(), z.unknown()),
  }),
  /** The user's own flags; a feature also needs the server's (`features`). */
  license_info: licenceInfo,
  /** What the server licenses the person for: what the project has and one of their groups, with all above it, has too. */
  features: licenceInfo,
  /** Where phones get the mobile app; null where none is promoted. */
  app_url: z.string().nullable(),
  /** Grows with every change of user, role or groups; every answer carries it as the header `Doorward-Profile`. */
  version: z.string(),
});
export type Profile = z.infer<typeof profile>;

/** Whether there is a mobile app, and the person is licensed for it. */
export const mayUseApp = ({ app_url, features, license_info }: Pick<Profile, 'app_url' | 'features' | 'license_info'>): boolean =>
  Boolean(app_url) && licensed('mobileApp', features, license_info);

/** What a person may change of their own profile. */
export const profilePatch = z
  .strictObject({
    name: name(),
    email: email().nullable(),
    profile: z
      .strictObject({
        address: optionalText(),
        phone: phone().nullable(),
        /** Alone it takes the name away. */
        time_zone: wholeNumber(-12, 14),
        /** The hours follow it. */
        time_zone_name: timeZoneName().nullable(),
        time_format: choice(timeFormats),
        identifier_format: choice(identifierFormats),
      })
      .partial(),
  })
  .partial();

/** A session for each project; none while a second factor is to be shown, for which `challenge` is what one goes on with. */
export const signInAnswer = z.strictObject({ sessions: z.array(sessionGrant), challenge: z.string().optional() });
export const signInBody = z.strictObject({
  login: username(254),
  password: z.string().min(1, 'required').max(1_000).meta({ kind: 'password', secret: true }),
});
export const passwordChange = z.strictObject({ old: z.string().min(1, 'required').max(1_000), new: password() });
/** Deleting one's account is asked for with the password. */
export const accountRemoval = z.strictObject({ password: z.string().min(1, 'required').max(1_000).meta({ kind: 'password', secret: true }) });
export const appPopup = z.strictObject({ is_app_popup_active: flag() });
export const localeChange = z.strictObject({ locale: choice(locales) });

/** One place where a person is signed in. */
export const signedInSession = z.strictObject({
  id: z.uuid(),
  ip: z.string().nullable(),
  user_agent: z.string().nullable(),
  created_at: z.iso.datetime(),
  last_seen_at: z.iso.datetime(),
  is_current: z.boolean(),
});
export type SignedInSession = z.infer<typeof signedInSession>;
