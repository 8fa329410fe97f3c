/** Something that comes once in the life of a call, at the latest when it is over. */
export class Step {
  come: () => void = () => undefined;
  readonly here = new Promise<void>((done) => (this.come = done));
}
