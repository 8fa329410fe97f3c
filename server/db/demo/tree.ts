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

function building(project: string, root: DemoGroup, plan: Building): DemoGroup[] {
  const house: DemoGroup = {
    id: demoId(`${project} ${plan.name}`),
    parentId: root.id,
    path: [],
    name: plan.name,
    type: 'Building',
    logicAddress: plan.address,
    description: plan.description,
  };
  house.path = [...root.path, house.id];
  const made = [house];
  let flat = 0;
  for (let number = 1; number <= plan.floors; number += 1) {
    const id = demoId(`${project} ${plan.name} floor ${number}`);
    const floor: DemoGroup = {
      id,
      parentId: house.id,
      path: [...house.path, id],
      name: `Floor ${number}`,
      type: 'Floor',
      logicAddress: String(number),
      description: null,
    };
    made.push(floor);
    for (let door = 0; door < plan.flats; door += 1) {
      flat += 1;
      const flatId = demoId(`${project} ${plan.name} flat ${flat}`);
      made.push({
        id: flatId,
        parentId: id,
        path: [...floor.path, flatId],
        name: String(flat),
        type: 'Apartment',
        logicAddress: String(flat),
        description: null,
      });
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
