/** What was seen once: the values of everything a guard may look at, and what came of it. */
export interface Observation {
  values: Readonly<Record<string, string>>;
  outcome: string;
}
/** Under which values an outcome comes: of each name one of these, or none of these; a name that is not there does not matter. */
export type Condition = Readonly<Record<string, { isNot: boolean; values: readonly string[] }>>;
type Tuple = Readonly<Record<string, readonly string[]>>;

/** How many observations share their values of these names with one of another outcome. */
function undecided(seen: readonly Observation[], names: readonly string[]): number {
  const groups = new Map<string, Map<string, number>>();
  for (const { values, outcome } of seen) {
    const key = names.map((name) => values[name]).join('\n');
    const group = groups.get(key) ?? new Map<string, number>();
    groups.set(key, group.set(outcome, (group.get(outcome) ?? 0) + 1));
  }
  return [...groups.values()].reduce((sum, group) => sum + (group.size > 1 ? [...group.values()].reduce((a, b) => a + b) : 0), 0);
}

/** As few names as decide the outcome, those first in the list preferred; all of them where they do not. */
function deciding(seen: readonly Observation[], names: readonly string[]): string[] {
  const chosen: string[] = [];
  let open = undecided(seen, chosen);
  while (open > 0) {
    const trials = names.filter((name) => !chosen.includes(name)).map((name) => ({ name, left: undecided(seen, [...chosen, name]) }));
    if (trials.length === 0) break;
    const best = trials.reduce((a, b) => (b.left < a.left ? b : a));
    chosen.push(best.name);
    open = best.left;
  }
  const needed = undecided(seen, chosen);
  return chosen.filter((name) => {
    const without = chosen.filter((other) => other !== name);
    if (chosen.length <= 1 || undecided(seen, without) > needed) return true;
    chosen.splice(chosen.indexOf(name), 1);
    return false;
  });
}

/** Joins those that differ in one name alone. */
function joined(tuples: Tuple[], names: readonly string[]): Tuple[] {
  let now = tuples;
  for (const name of names) {
    const groups = new Map<string, { rest: Tuple; values: string[] }>();
    for (const { [name]: values = [], ...rest } of now) {
      const key = JSON.stringify(rest);
      const group = groups.get(key) ?? { rest, values: [] };
      group.values.push(...values.filter((value) => !group.values.includes(value)));
      groups.set(key, group);
    }
    now = [...groups.values()].map(({ rest, values }) => ({ ...rest, [name]: values.toSorted() }));
  }
  return now;
}

/** The shorter way to say it: the values there are, or those that are missing from the domain; nothing where it is all of them. */
function said(tuple: Tuple, domain: ReadonlyMap<string, ReadonlySet<string>>): Condition {
  return Object.fromEntries(
    Object.entries(tuple).flatMap(([name, values]) => {
      const missing = [...(domain.get(name) ?? [])].filter((value) => !values.includes(value)).toSorted();
      if (missing.length === 0) return [];
      const isNot = missing.length < values.length;
      return [[name, { isNot, values: isNot ? missing : values }]];
    }),
  );
}

/** The conditions of every outcome; a name whose every value is in a condition is left out of it. */
export function conditionsOf(seen: readonly Observation[], names: readonly string[]): Map<string, Condition[]> {
  const unique = [...new Map(seen.map((one) => [JSON.stringify([names.map((name) => one.values[name]), one.outcome]), one])).values()];
  const decided = deciding(unique, names);
  const domain = new Map(decided.map((name) => [name, new Set(unique.map(({ values }) => values[name] ?? ''))]));
  return new Map(
    [...new Set(unique.map(({ outcome }) => outcome))].map((outcome) => {
      const own = unique
        .filter((one) => one.outcome === outcome)
        .map(({ values }) => Object.fromEntries(decided.map((name) => [name, [values[name] ?? '']])));
      const different = [...new Map(own.map((one) => [JSON.stringify(one), one])).values()];
      return [outcome, joined(different, decided).map((tuple) => said(tuple, domain))];
    }),
  );
}
