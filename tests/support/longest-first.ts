import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Begins with the files named, in this order, so that at the end nobody waits for the last one of a neighbour; the others follow as
 * vitest has them, which takes large files for long ones. `files`: the ends of their paths.
 */
export const longestFirst = (files: readonly string[]): typeof BaseSequencer => {
  const placeOf = ({ moduleId }: TestSpecification): number => files.findIndex((end) => moduleId.endsWith(end));
  return class LongestFirst extends BaseSequencer {
    override async sort(all: TestSpecification[]): Promise<TestSpecification[]> {
      const others = (await super.sort(all)).filter((file) => placeOf(file) < 0);
      const first = all.filter((file) => placeOf(file) >= 0).toSorted((one, other) => placeOf(one) - placeOf(other));
      return [...first, ...others];
    }
  };
};
