/** A request with whatever is wrong in it; lines may be replaced by their name. */
export function message(first: string, lines: Record<string, string | readonly string[] | null> = {}, body = ''): string {
  const method = first.split(' ', 1)[0] ?? '';
  const usual: Record<string, string | readonly string[] | null> = {
    Via: 'SIP/2.0/WS torture.invalid;branch=z9hG4bKtorture',
    'Max-Forwards': '70',
    From: '<sip:1000@localhost>;tag=tor',
    To: '<sip:1001@localhost>',
    'Call-ID': 'torture@localhost',
    CSeq: `1 ${method}`,
    Contact: '<sip:1000@torture.invalid;transport=ws>',
    'Content-Length': String(Buffer.byteLength(body)),
  };
  const all = Object.entries({ ...usual, ...lines }).flatMap(([name, value]) =>
    value === null ? [] : [value].flat().map((one) => `${name}: ${one}\r\n`),
  );
  return `${first}\r\n${all.join('')}\r\n${body}`;
}

const invite = 'INVITE sip:1001@localhost SIP/2.0';
const options = 'OPTIONS sip:localhost SIP/2.0';
const register = 'REGISTER sip:localhost SIP/2.0';
const self = { To: '<sip:1000@localhost>' };

/** What becomes of a message: the status it is answered with, or silence. */
export type Fate = number | 'silence';

/** Messages of each kind of wrong, and of right that looks wrong (after the situations of RFC 4475 and RFC 5118). */
export const torture: readonly (readonly [name: string, text: string, fate: Fate])[] = [
  // What looks wrong and is right.
  [
    'folded lines, wide spaces and odd letters',
    message(options, { CSeq: '0009\r\n  OPTIONS', Subject: 'many\r\n\twords', 'cONTENT-lEngth': '0', 'Content-Length': null }),
    200,
  ],
  [
    'headers in their short form',
    `${options}\r\nv: SIP/2.0/WS t.invalid;branch=z9hG4bKshort\r\nf: <sip:1000@localhost>;tag=s\r\nt: <sip:localhost>\r\ni: short\r\nCSeq: 1 OPTIONS\r\nl: 0\r\n\r\n`,
    200,
  ],
  ['every letter a token may have', message(options, { 'Call-ID': 'a.!%*_+`\'~-z()<>:\\"/[]?{}@b', 'X-Odd!%*': 'any' }), 200],
  ['escaped letters in a URI', message(options, { From: '<sip:%31%30%30%30@localhost>;tag=e' }), 200],
  ['a name with quoted marks', message(options, { From: String.raw`"A \"B\" \\ C" <sip:1000@localhost>;tag=q` }), 200],
  ['a name in another script', message(options, { From: '"Ирина Ж. 李" <sip:1000@localhost>;tag=u' }), 200],
  ['a name without marks', message(options, { From: 'Ann of the Desk <sip:1000@localhost>;tag=n' }), 200],
  [
    'parameters nobody knows',
    message(options, { From: '<sip:1000@localhost;x=y>;tag=p;strange="a;b,c"', Via: 'SIP/2.0/WS t.invalid;branch=z9hG4bKp;new;odd=1' }),
    200,
  ],
  ['a header nobody knows, with anything in it', message(options, { 'X-New': ';;,,;\t"@#<>' }), 200],
  [
    'an address of version 6',
    message('OPTIONS sip:[2001:db8::10] SIP/2.0', {
      Via: 'SIP/2.0/WS [2001:db8::9]:5070;branch=z9hG4bKsix',
      Contact: '<sip:1000@[2001:db8::1]:7000>',
    }),
    200,
  ],
  ['an address of version 6 that ends in one of version 4', message('OPTIONS sip:[::ffff:192.0.2.10]:5070 SIP/2.0', {}), 200],
  ['version 6 in the parameter `received`', message(options, { Via: 'SIP/2.0/WS t.invalid;received=[2001:db8::9];branch=z9hG4bKrec' }), 200],
  ['several hops in one line', message(options, { Via: 'SIP/2.0/WS t.invalid;branch=z9hG4bKtwo, SIP/2.0/UDP 192.0.2.1;branch=z9hG4bKother' }), 200],
  ['more bytes than it says', message(options, { 'Content-Length': '0' }, 'too much'), 200],
  ['empty lines before it', `\r\n\r\n${message(options)}`, 200],
  ['no length', message(options, { 'Content-Length': null }), 200],
  ['no hops left, asked whether we are there', message(options, { 'Max-Forwards': '0' }), 200],
  ['a tag of nobody, asked whether we are there', message(options, { To: '<sip:localhost>;tag=nobody' }), 200],
  ['an option nobody has to understand', message(options, { Supported: 'nothing-known', 'Proxy-Require': '' }), 200],
  ['a parameter called like a method of an object', message(options, { From: '<sip:1000@localhost;hasOwnProperty=1>;hasOwnProperty=2;tag=h' }), 200],
  ['a header called like the parent of all objects', message(options, { __proto__x: 'a' }).replace('__proto__x', '__proto__'), 200],
  // What cannot be read, and can be answered.
  ['a method that is not that of its CSeq', message(options, { CSeq: '1 INVITE' }), 400],
  ['two senders', message(options, { From: ['<sip:1000@localhost>;tag=a', '<sip:1001@localhost>;tag=b'] }), 400],
  ['two call ids', message(options, { 'Call-ID': ['one', 'two'] }), 400],
  ['two sequences', message(options, { CSeq: ['1 OPTIONS', '2 OPTIONS'] }), 400],
  ['two lengths', message(options, { 'Content-Length': ['0', '0'] }), 400],
  ['a length below nothing', message(options, { 'Content-Length': '-999' }), 400],
  ['a length that is no number', message(options, { 'Content-Length': 'long' }), 400],
  ['fewer bytes than it says', message(invite, { 'Content-Length': '9999' }, 'v=0\r\n'), 400],
  ['a sequence beyond all numbers', message(options, { CSeq: '36893488147419103232 OPTIONS' }), 400],
  ['a sequence beyond 31 bits', message(options, { CSeq: '2147483648 OPTIONS' }), 400],
  ['no tag of the sender', message(options, { From: '<sip:1000@localhost>' }), 400],
  ['no branch', message(options, { Via: 'SIP/2.0/WS t.invalid' }), 400],
  ['a name that never ends', message(options, { From: '"Ann <sip:1000@localhost>;tag=x' }), 400],
  ['a bracket that never closes', message(options, { From: '<sip:1000@localhost;tag=x' }), 400],
  ['commas and semicolons in disorder', message(invite, { Contact: ';,;,;<sip:a@b>;;,;;expires=' }), 400],
  ['a bracket around the Request-URI', message('INVITE <sip:1001@localhost> SIP/2.0'), 400],
  ['white space in the Request-URI', message('INVITE sip:1001@local host SIP/2.0'), 400],
  ['headers in the Request-URI that break lines', message('INVITE sip:1001%0d%0aX-Evil:1@localhost SIP/2.0'), 400],
  ['half an escape in the Request-URI', message('INVITE sip:10%@localhost SIP/2.0'), 400],
  ['a byte that is no letter in the Request-URI', message('INVITE sip:%ff%fe@localhost SIP/2.0'), 400],
  ['an address of version 6 without brackets', message('OPTIONS sip:2001:db8::10 SIP/2.0'), 400],
  ['a header without a colon', message(options).replace('Max-Forwards: 70', 'Max-Forwards 70'), 400],
  ['a line of control letters', message(options, { Subject: 'a\u0000b\u0007' }), 400],
  ['a lone line feed in a value', message(options, { Subject: 'a\nX-Evil: b' }), 400],
  ['a version of tomorrow', message('OPTIONS sip:localhost SIP/7.0'), 505],
  ['a scheme nobody speaks', message('INVITE soap.beep://192.0.2.1:3002 SIP/2.0'), 416],
  ['a telephone number as URI', message('INVITE tel:+4912345 SIP/2.0'), 416],
  ['too many headers', message(options, { 'X-Many': Array.from({ length: 200 }, () => 'a') }), 413],
  ['a header that is too long', message(options, { 'X-Long': 'a'.repeat(9_000) }), 400],
  ['headers that are too long together', message(options, { 'X-Long': Array.from({ length: 3 }, () => 'a'.repeat(7_000)) }), 413],
  ['a list that would take the grammar long', message(options, { Contact: Array.from({ length: 200 }, () => 'sip:a').join(',') }), 400],
  ['spaces that would take the grammar long', message(options, { Via: `SIP / 2.0 / WS a${' '.repeat(6_000)};branch=z9hG4bKwide` }), 400],
  [
    'the most that the grammar is given',
    message(options, {
      From: `${'a '.repeat(300)}<sip:1000@localhost>;tag=x`,
      To: `<sip:localhost${';a=b'.repeat(55)}>`,
      'Call-ID': '('.repeat(700),
    }),
    200,
  ],
  // What can be read and is refused.
  [
    'a method nobody has',
    message("!interesting-Method0123456789_*+`.%indeed'~ sip:localhost SIP/2.0".replace('interesting', 'odd').replace('0123456789', ''), {}),
    501,
  ],
  ['a method that begins like one we have', message('INVITES sip:1001@localhost SIP/2.0'), 501],
  ['a method in small letters', message('invite sip:1001@localhost SIP/2.0'), 501],
  ['a long method', message(`${'LONG-'.repeat(20)} sip:1001@localhost SIP/2.0`), 501],
  ['a method nobody has, in a call that is not there', message('BYE2 sip:1001@localhost SIP/2.0', { To: '<sip:1001@localhost>;tag=gone' }), 501],
  [
    'a method with escapes, which methods do not have (RFC 4475 section 3.1.1.5)',
    message('RE%47IST%45R sip:registrar.example.com SIP/2.0', {
      To: '"%Z%45" <sip:resource@example.com>',
      From: '"%Z%45" <sip:resource@example.com>;tag=f232jadfj23',
      Via: 'SIP/2.0/WS host.example.com;rport;branch=z9hG4bK209%fzsnel234',
      CSeq: '29344 RE%47IST%45R',
      'C%6Fntact': '<sip:alias2@host2.example.com>',
    }),
    501,
  ],
  [
    'escaped NULs in URIs (RFC 4475 section 3.1.1.6)',
    message('REGISTER sip:example.com SIP/2.0', {
      To: 'sip:null-%00-null@example.com',
      From: 'sip:null-%00-null@example.com;tag=839923423',
      CSeq: '14398234 REGISTER',
      Contact: ['<sip:%00@host5.example.com>', '<sip:%00%00@host5.example.com>'],
    }),
    400,
  ],
  ...(['%00', '1001%0d%0aX-Evil:%20yes', '%0A', '1001%7F', '%09'] as const).flatMap(
    (user) =>
      [
        [`${user} in the Request-URI`, message(`OPTIONS sip:${user}@localhost SIP/2.0`), 400],
        [`${user} in From`, message(invite, { From: `<sip:${user}@localhost>;tag=x` }), 400],
        [`${user} in To`, message(register, { To: `<sip:${user}@localhost>` }), 400],
        [`${user} in Contact`, message(invite, { Contact: `<sip:${user}@localhost>` }), 400],
        [`${user} in parameters of a URI`, message(`INVITE sip:1001@localhost;x=${user.replaceAll(':', '')} SIP/2.0`), 400],
      ] as const,
  ),
  ['a method we do not serve', message('MESSAGE sip:1001@localhost SIP/2.0', {}, ''), 405],
  ['a subscription', message('SUBSCRIBE sip:1001@localhost SIP/2.0', { Event: 'presence' }), 489],
  ['an extension we have not', message(invite, { Require: 'nothingSupportsThis' }), 420],
  ['reliable provisional answers', message(invite, { Require: '100rel' }), 420],
  ['no hops left', message(invite, { 'Max-Forwards': '0' }), 483],
  ['hops that are no number', message(invite, { 'Max-Forwards': 'many' }), 400],
  ['a tag of a call that is not there', message('BYE sip:1001@localhost SIP/2.0', { To: '<sip:1001@localhost>;tag=gone' }), 481],
  ['an offer to a call that is not there', message(invite, { To: '<sip:1001@localhost>;tag=gone' }), 481],
  ['an end of a call that never was', message('BYE sip:1001@localhost SIP/2.0'), 481],
  ['a cancellation of nothing', message('CANCEL sip:1001@localhost SIP/2.0'), 481],
  ['a call without any proof', message(invite), 407],
  ['a registration without any proof', message(register, self), 401],
  ['a proof of another kind', message(register, { ...self, Authorization: 'NoOneKnowsThisScheme opaque-data=here' }), 401],
  ['a proof in pieces', message(register, { ...self, Authorization: 'Digest username="1000", realm=, nonce' }), 401],
  // What is dropped without a word.
  ['an acknowledgement of nothing', message('ACK sip:1001@localhost SIP/2.0'), 'silence'],
  ['an acknowledgement in disorder', message('ACK sip:1001@localhost SIP/2.0', { From: '"' }), 'silence'],
  ['an answer to nothing', message('SIP/2.0 200 OK', { CSeq: '1 INVITE' }), 'silence'],
  ['an answer in disorder', message('SIP/2.0 200 OK', { CSeq: 'x' }), 'silence'],
  ['a status beyond all numbers', message('SIP/2.0 4294967301 better not', { CSeq: '1 INVITE' }), 'silence'],
  ['no answer could find its way', message(options, { Via: null }), 'silence'],
  ['nothing but letters', 'hello', 'silence'],
  ['no line end', options, 'silence'],
  ['another protocol', 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n', 'silence'],
  ['only bytes', '\u0000\u0001\u0002\u0003', 'silence'],
  ['only line ends', '\r\n\r\n\r\n\r\n', 'silence'],
  ['a first line of control letters', message('OPTIONS sip:local\u0000host SIP/2.0'), 'silence'],
];
