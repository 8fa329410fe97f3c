import { demoId } from './chance.ts';

/** One group of a demo project, before it is a row. */
export interface DemoGroup {
  id: string;
  parentId: string | null;
  path: string[];
  name: string;
  type: 'Complex' | 'Building' | 'Floor' | 'Apartment';
  logicAddress: string | null;
  description: string | null;
}

/** A building of a demo project: so many floors with so many flats each, numbered through the house. */
interface Building {
  name: string;
  address: string;
  floors: number;
  flats: number;
  description: string;
}

type Place = Pick<DemoGroup, 'name' | 'type' | 'logicAddress'> & Partial<Pick<DemoGroup, 'description'>>;

/** A group of its own below another; `called` makes its id. */
function below(parent: DemoGroup, called: string, place: Place): DemoGroup {
  const id = demoId(called);
  return { description: null, ...place, id, parentId: parent.id, path: [...parent.path, id] };
}

function building(project: string, root: DemoGroup, { name, address, floors, flats, description }: Building): DemoGroup[] {
  const house = below(root, `${project} ${name}`, { name, type: 'Building', logicAddress: address, description });
  const made = [house];
  for (let number = 1; number <= floors; number += 1) {
    const floor = below(house, `${project} ${name} floor ${number}`, { name: `Floor ${number}`, type: 'Floor', logicAddress: String(number) });
    made.push(floor);
    for (let door = 1; door <= flats; door += 1) {
      const flat = String((number - 1) * flats + door);
      made.push(below(floor, `${project} ${name} flat ${flat}`, { name: flat, type: 'Apartment', logicAddress: flat }));
    }
  }
  return made;
}

/** All groups of a demo project, parents before children. */
export function demoTree(project: string, description: string, buildings: readonly Building[]): DemoGroup[] {
  const id = demoId(`${project} root`);
  const root: DemoGroup = { id, parentId: null, path: [id], name: project, type: 'Complex', logicAddress: null, description };
  return [root, ...buildings.flatMap((plan) => building(project, root, plan))];
}

export const riversideBuildings: readonly Building[] = [
  { name: 'Tower A', address: '1', floors: 8, flats: 5, description: 'East tower, lobby with a concierge desk' },
  { name: 'Tower B', address: '2', floors: 8, flats: 6, description: 'West tower, delivery entrance at the back' },
  { name: 'Parking', address: '3', floors: 2, flats: 0, description: 'Two levels below the yard' },
  { name: 'Clubhouse', address: '4', floors: 0, flats: 0, description: 'Gym, pool and meeting rooms' },
];
export const harbourBuildings: readonly Building[] = [
  { name: 'Pier 1', address: '1', floors: 3, flats: 4, description: 'Offices over the old customs hall' },
  { name: 'Pier 2', address: '2', floors: 2, flats: 4, description: 'Workshops' },
];
