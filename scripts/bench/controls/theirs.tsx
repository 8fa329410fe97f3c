import 'primereact/resources/themes/lara-light-blue/theme.css?only=autocomplete';
import 'primereact/resources/themes/lara-light-blue/theme.css?only=checkbox';
import 'primereact/resources/themes/lara-light-blue/theme.css?only=datatable';
import 'primereact/resources/themes/lara-light-blue/theme.css?only=multiselect';
import 'primereact/resources/themes/lara-light-blue/theme.css?only=tree';
import 'primereact/resources/themes/lara-light-blue/theme.css?only=treetable';
import { AutoComplete } from 'primereact/autocomplete';
import { Column } from 'primereact/column';
import { DataTable } from 'primereact/datatable';
import { MultiSelect } from 'primereact/multiselect';
import { Tree } from 'primereact/tree';
import { TreeTable } from 'primereact/treetable';
import type { TreeNode } from 'primereact/treenode';
import { type ReactNode, useState } from 'react';
import type { GroupNode } from '#models/groups.ts';
import { permissionCatalogue } from '#models/permission-catalogue.ts';
import { GroupWords } from '#src/components/group-tree.tsx';
import { forestOf } from '#src/components/group-tree-nodes.ts';
import { Prime } from '#src/components/prime/prime.tsx';
import { TextProvider } from '#src/components/text-provider.tsx';
import { useText } from '#src/components/text.ts';
import { MatrixMark } from '#src/views/access/matrix-table.tsx';
import { codes, columnKeys, type Found, found, groupNodes, held, matrix, rows } from './data.ts';
import { openStage, type Scenes } from './stage.tsx';
import './theirs.css';

const nothing = (): undefined => undefined;
const open = (keys: readonly string[]): Record<string, boolean> => Object.fromEntries(keys.map((key) => [key, true]));

function nestedGroups(): TreeNode[] {
  const { roots, below } = forestOf(groupNodes);
  const nest = (nodes: readonly GroupNode[]): TreeNode[] =>
    nodes.map((node) => ({ key: node.id, label: node.name, data: node, children: nest(below.get(node.id) ?? []) }));
  return nest(roots);
}
const groups = nestedGroups();
const openGroups = open(groupNodes.map(({ id }) => id));
const groupWords = ({ data }: TreeNode): ReactNode => <GroupWords node={data as GroupNode} />;

const areas = Object.entries<readonly string[]>(permissionCatalogue);
const holds = new Set(held);
/** The marks of codes, and of areas of which some are held. */
const marks = Object.fromEntries([
  ...held.map((code) => [code, { checked: true, partialChecked: false }] as const),
  ...areas.filter(([, own]) => own.some((code) => holds.has(code))).map(([area]) => [area, { checked: false, partialChecked: true }] as const),
]);

function Permissions({ isOpen }: { isOpen: boolean }) {
  const { t } = useText();
  const [nodes] = useState(() =>
    areas.map(([area, own]) => ({
      key: area,
      data: { label: t(`permissions.areas.${area}`) },
      children: own.map((code) => ({ key: code, data: { label: t(`permissions.codes.${code}`) } })),
    })),
  );
  return (
    <TreeTable
      value={nodes}
      selectionMode="checkbox"
      selectionKeys={marks}
      onSelectionChange={nothing}
      expandedKeys={isOpen ? open(areas.map(([area]) => area)) : {}}
      onToggle={nothing}
    >
      <Column field="label" header="Permission" expander />
    </TreeTable>
  );
}

const People = ({ isFrozen }: { isFrozen: boolean }) => (
  <DataTable value={[...rows]} dataKey="id" lazy sortField="name" sortOrder={1} onSort={nothing} resizableColumns scrollable={isFrozen}>
    {columnKeys.map((key, at) => (
      <Column key={key} field={key} header={key} sortable frozen={isFrozen && at === 0} />
    ))}
  </DataTable>
);

const lines = matrix.people.map((person, at) => ({ ...person, cells: matrix.cells[at] ?? [] }));
type Line = (typeof lines)[number];
const Matrix = () => (
  <DataTable value={lines} dataKey="id" scrollable>
    <Column
      header="Person"
      frozen
      body={({ name, group }: Line) => (
        <>
          {name}
          <span className="cell-sub">{group}</span>
        </>
      )}
    />
    {matrix.doors.map((door, at) => (
      <Column
        key={door.id}
        header={<span className="upright">{door.name}</span>}
        body={({ name, cells }: Line) => cells[at] && <MatrixMark cell={cells[at]} person={name} door={door.name} onExplain={nothing} />}
      />
    ))}
  </DataTable>
);

const nobody: Found[] = [];
function Search() {
  const [suggestions, setSuggestions] = useState<readonly Found[]>([]);
  return (
    <AutoComplete
      multiple
      dropdown
      value={nobody}
      suggestions={[...suggestions]}
      field="name"
      completeMethod={() => setSuggestions(found)}
      onChange={nothing}
    />
  );
}

const scenes: Scenes = {
  groups: {
    draw: (isOn) => isOn && <Tree value={groups} expandedKeys={openGroups} onToggle={nothing} nodeTemplate={groupWords} />,
    item: '.p-treenode',
    count: groupNodes.length,
  },
  permissions: { draw: (isOn) => <Permissions isOpen={isOn} />, item: '.p-treetable-tbody > tr', count: codes.length + areas.length },
  people: { draw: (isOn) => isOn && <People isFrozen={false} />, item: '.p-datatable-tbody > tr', count: rows.length },
  frozen: { draw: (isOn) => isOn && <People isFrozen />, item: '.p-datatable-tbody > tr', count: rows.length },
  matrix: { draw: (isOn) => isOn && <Matrix />, item: '.p-datatable-tbody > tr', count: matrix.people.length },
  found: { draw: () => <Search />, press: '.p-autocomplete-dropdown', item: '.p-autocomplete-item', count: found.length },
  opened: {
    draw: () => <MultiSelect filter value={nobody} options={[...found]} optionLabel="name" onChange={nothing} />,
    press: '.p-multiselect',
    item: '.p-multiselect-item',
    count: found.length,
  },
};

const Frame = ({ children }: { children: ReactNode }) => (
  <TextProvider>
    <Prime>{children}</Prime>
  </TextProvider>
);

export const draw = openStage(scenes, Frame);
