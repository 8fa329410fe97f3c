/** The two modules of JsSIP that read messages; they stand on their own and come without types. */
declare module 'jssip/lib/Parser.js' {
  interface ParsedUri {
    scheme: string;
    user?: string | null;
    host: string;
    getParam(name: string): string | null | undefined;
    toString(): string;
  }
  interface ParsedAddress {
    uri: ParsedUri;
    display_name?: string;
    getParam(name: string): string | null | undefined;
  }
  interface ParsedMessage {
    method: string;
    ruri?: ParsedUri;
    status_code?: number;
    reason_phrase?: string;
    via_branch?: string;
    via?: { host: string; port?: number; transport: string };
    call_id?: string;
    cseq?: number;
    from?: ParsedAddress;
    from_tag?: string;
    to?: ParsedAddress;
    to_tag?: string;
    parseHeader(name: string, index?: number): unknown;
    getHeaders(name: string): string[];
  }
  const parser: { parseMessage(data: string, ua: null): ParsedMessage | undefined };
  export default parser;
  export type { ParsedAddress, ParsedMessage, ParsedUri };
}

declare module 'jssip/lib/Grammar.js' {
  /** @returns what was read, or -1 */
  const grammar: { parse(text: string, rule: string): unknown };
  export default grammar;
}
