import type { ComponentProps, ReactNode } from 'react';
import { createActor, createMachine } from 'xstate';
import { RefSearch } from '#src/components/filters/ref-search.tsx';
import { GroupTree } from '#src/components/group-tree.tsx';
import { forestOf, linesOf } from '#src/components/group-tree-nodes.ts';
import { PermissionTree } from '#src/components/permission-tree.tsx';
import { Table } from '#src/components/table/table.tsx';
import { TextProvider } from '#src/components/text-provider.tsx';
import { MatrixTable } from '#src/views/access/matrix-table.tsx';
import ColumnHandles from '#src/views/area/column-handles.tsx';
import { AppContext, ServicesContext } from '#src/views/system.ts';
import { codes, columnKeys, found, groupNodes, held, matrix, type Row, rows } from './data.ts';
import { openStage, type Scenes } from './stage.tsx';

const nothing = (): undefined => undefined;
const none: ReadonlySet<string> = new Set();
const all = (): boolean => true;

function Groups() {
  const forest = forestOf(groupNodes);
  const lines = linesOf(forest, new Set(forest.byId.keys()));
  return <GroupTree label="Groups" forest={forest} lines={lines} fixed={false} onFlip={nothing} onOpen={nothing} onMenu={undefined} />;
}

const columns = columnKeys.map((key) => ({ key, label: key, sort: key }));
const idOf = ({ id }: Row): string => id;
const nameOf = (row: Row): string => row['name'] ?? '';
const cellOf = (row: Row, { key }: { key: string }): ReactNode => row[key];

const People = () => (
  <Table<Row>
    caption="People"
    columns={columns}
    rows={rows}
    expected={20}
    idOf={idOf}
    nameOf={nameOf}
    cell={cellOf}
    sort={['name']}
    onSort={nothing}
    selected={none}
    allSelected={false}
    words={{ select: '', selectPage: '', menu: '' }}
    over={<ColumnHandles area="users" columns={columns} />}
    busy={false}
  />
);

const search = { id: 'search', label: 'Person', text: '', onText: nothing, chosen: [], onToggle: nothing } satisfies Partial<
  ComponentProps<typeof RefSearch>
>;

const scenes: Scenes = {
  groups: { draw: (isOn) => isOn && <Groups />, item: '.tree-line', count: groupNodes.length },
  permissions: {
    draw: () => <PermissionTree label="Permissions" value={held} onChange={nothing} readOnly={false} grantable={all} />,
    press: '.grant-tools .link-button',
    item: '.grant-codes li',
    count: codes.length,
  },
  people: { draw: (isOn) => isOn && <People />, item: '.table tbody tr', count: rows.length },
  matrix: {
    draw: (isOn) => isOn && <MatrixTable matrix={matrix} onExplain={nothing} />,
    item: '.matrix tbody tr',
    count: matrix.people.length,
  },
  found: {
    draw: (isOn) => <RefSearch {...search} rows={isOn ? found : []} state={isOn ? 'found' : 'searching'} />,
    item: '.filter-choices label',
    count: found.length,
  },
  opened: { draw: (isOn) => isOn && <RefSearch {...search} rows={found} state="found" />, item: '.filter-choices label', count: found.length },
};

/** The lines between the heads ask who is there, and how wide that person has made the columns: nobody has. */
const app = createActor(createMachine({ context: { profile: { id: 'person' } } }), { systemId: 'session' }).start();
const widths = {};
const services = { columnWidths: { get: () => widths, follow: () => nothing, set: nothing } };

const Frame = ({ children }: { children: ReactNode }) => (
  <TextProvider>
    <ServicesContext value={services as unknown as ComponentProps<typeof ServicesContext>['value']}>
      <AppContext value={app as unknown as ComponentProps<typeof AppContext>['value']}>{children}</AppContext>
    </ServicesContext>
  </TextProvider>
);

export const draw = openStage(scenes, Frame);
