/** What an elevator is called outside its group: those of two houses have the same name. */
export const elevatorText = ({ name, domain }: { name: string; domain?: string | null | undefined }): string =>
  domain ? `${domain} · ${name}` : name;
