import type { AccessMatrix, MatrixCell } from '#models/access-matrix.ts';
import { useText } from '#src/components/text.ts';
import './access.css';

/** How each state of a cell looks. */
export const matrixLooks = {
  granted: { icon: 'pi-check', tone: 'good' },
  later: { icon: 'pi-clock', tone: 'warn' },
  denied: { icon: 'pi-ban', tone: 'bad' },
  none: { icon: 'pi-minus', tone: 'none' },
} as const;

/** What a cell says, as a button that explains it. */
export function MatrixMark({ cell, person, door, onExplain }: { cell: MatrixCell; person: string; door: string; onExplain: () => void }) {
  const { t } = useText();
  const { icon, tone } = matrixLooks[cell.state];
  const said = cell.state === 'granted' || cell.state === 'none' ? cell.state : cell.reason;
  const text = t(said === cell.state ? `list.matrix.states.${cell.state}` : `areas.device-events.options.reason.${said}`);
  return (
    <button
      type="button"
      className="matrix-cell"
      data-tone={tone}
      title={`${person} · ${door}: ${text}`}
      aria-label={`${person}, ${door}: ${text}`}
      onClick={onExplain}
    >
      <i className={`pi ${icon}`} aria-hidden="true" />
    </button>
  );
}

interface MatrixTableProps {
  matrix: AccessMatrix;
  onExplain: (subject: { identifier: string } | { user: string }, door: AccessMatrix['doors'][number]) => void;
}

/** A page of the matrix: people down, doors across; the names of both stay in sight. */
export function MatrixTable({ matrix, onExplain }: MatrixTableProps) {
  const { t } = useText();
  return (
    <div className="matrix-scroll" tabIndex={0} role="region" aria-label={t('list.matrix.table')}>
      <table className="matrix">
        <thead>
          <tr>
            <th scope="col">{t('list.matrix.person')}</th>
            {matrix.doors.map(({ id, name }) => (
              <th key={id} scope="col">
                <span>{name}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {matrix.people.map(({ id, name, group }, row) => (
            <tr key={id}>
              <th scope="row">
                {name}
                {group !== null && <span className="cell-sub">{group}</span>}
              </th>
              {matrix.doors.map((door, column) => {
                const cell = matrix.cells[row]?.[column];
                const subject = cell?.identifier ? { identifier: cell.identifier } : { user: id };
                return (
                  cell && (
                    <td key={door.id}>
                      <MatrixMark cell={cell} person={name} door={door.name} onExplain={() => onExplain(subject, door)} />
                    </td>
                  )
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
