interface ShownGroup {
  name: string;
  path?: readonly string[];
}

/** So many names tell where a group is; those above them say the same of all. */
const steps = 3;

/** A group as lists, forms and choices write it: the last steps of the way down to it, or its name where nothing stands above. */
export const groupText = ({ name, path = [] }: ShownGroup): string => path.slice(-steps).join(' · ') || name;

/** The whole way down to a group. */
export const wholeGroupText = ({ name, path = [] }: ShownGroup): string => path.join(' · ') || name;
