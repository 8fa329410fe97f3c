/** For which project of which installation licences are asked. */
export interface CloudQuestion {
  project: string;
  instance: string;
}
/** What the cloud says: the files, or why there are none. */
export type CloudAnswer = { licences: string[] } | { refused: 'licence_none_found' | 'licence_instance_registered' };
