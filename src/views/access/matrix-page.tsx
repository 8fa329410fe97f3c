import { useMemo, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { type AccessMatrix, matrixPage } from '#models/access-matrix.ts';
import { hasPermission } from '#models/permissions.ts';
import { Button } from '#src/components/button.tsx';
import { EmptyState } from '#src/components/empty-state.tsx';
import { Failure } from '#src/components/problem-text.tsx';
import { SkeletonLines } from '#src/components/skeletons.tsx';
import { useText } from '#src/components/text.ts';
import { NoAccess } from '../area/no-access.tsx';
import { useReading } from '../area/use-reading.ts';
import { useRequest } from '../area/use-request.ts';
import { actorOf, useProfile } from '../profile-of.ts';
import { useChangeParams } from '../shell/address-params.ts';
import { usePageTitle } from '../shell/page-title.ts';
import { useWorkspace } from '../system.ts';
import type { MatrixAddress } from './matrix-address.ts';
import { ExplainDialog } from './explain-dialog.tsx';
import { matrixLooks, MatrixTable } from './matrix-table.tsx';
import { MatrixTools } from './matrix-tools.tsx';
import './access.css';

const pageOf = (text: string | null): number => Math.max(1, Math.floor(Number(text)) || 1);
const readAddress = (params: URLSearchParams): MatrixAddress => ({
  person: params.get('person') ?? '',
  door: params.get('door') ?? '',
  person_id: params.get('person_id'),
  door_id: params.get('door_id'),
  only_reached: params.get('only_reached') === 'true',
  people_group: params.get('people_group'),
  doors_group: params.get('doors_group'),
  at: params.get('at'),
  people_page: pageOf(params.get('people_page')),
  doors_page: pageOf(params.get('doors_page')),
});

const writeAddress = (address: MatrixAddress): URLSearchParams =>
  new URLSearchParams(
    Object.entries(address)
      .filter(([key, value]) => value !== null && value !== '' && value !== false && !(key.endsWith('_page') && value === 1))
      .map(([key, value]) => [key, String(value)]),
  );

function Table({ matrix }: { matrix: AccessMatrix }) {
  const [asked, setAsked] = useState<Pick<Parameters<typeof ExplainDialog>[0], 'subject' | 'device'>>();
  return (
    <>
      <MatrixTable matrix={matrix} onExplain={(subject, device) => setAsked({ subject, device })} />
      {asked && <ExplainDialog {...asked} at={matrix.at} onClose={() => setAsked(undefined)} />}
    </>
  );
}

interface PagerProps {
  words: 'people' | 'doors';
  page: number;
  size: number;
  total: number;
  onPage: (page: number) => void;
}
function Pager({ words, page, size, total, onPage }: PagerProps) {
  const { t } = useText();
  if (total <= size && page === 1) return <span className="quiet">{t(`list.matrix.${words}`, { count: total })}</span>;
  const last = Math.ceil(total / size);
  return (
    <span className="matrix-pager">
      <button
        type="button"
        className="icon-button"
        disabled={page <= 1}
        aria-label={t(`list.matrix.previous_${words}`)}
        onClick={() => onPage(page - 1)}
      >
        <i className={`pi ${words === 'people' ? 'pi-arrow-up' : 'pi-arrow-left'}`} aria-hidden="true" />
      </button>
      <span>{t(`list.matrix.shown_${words}`, { from: (page - 1) * size + 1, to: Math.min(page * size, total), total })}</span>
      <button
        type="button"
        className="icon-button"
        disabled={page >= last}
        aria-label={t(`list.matrix.next_${words}`)}
        onClick={() => onPage(page + 1)}
      >
        <i className={`pi ${words === 'people' ? 'pi-arrow-down' : 'pi-arrow-right'}`} aria-hidden="true" />
      </button>
    </span>
  );
}

/** Reads the page of the table that the address names, and goes on to another. */
function useMatrix() {
  const [params] = useSearchParams();
  const changeParams = useChangeParams();
  const asked = params.toString();
  const address = useMemo(() => readAddress(new URLSearchParams(asked)), [asked]);
  const reading = useReading('accessMatrix', { body: address });
  const change = (part: Partial<MatrixAddress>): void =>
    changeParams((present) => writeAddress({ ...readAddress(present), ...part }), { replace: true });
  return { ...reading, address, change };
}

function Matrix() {
  const { t } = useText();
  const workspace = useWorkspace();
  const { last: matrix, problem, running, reload, address, change } = useMatrix();
  const file = useRequest('accessMatrixFile', {
    done: (job) => workspace.send({ type: 'job.start', request: { kind: 'adopt', area: 'access-rules', job } }),
  });
  const { people_page: _people, doors_page: _doors, ...question } = address;
  return (
    <div className="matrix-page">
      <MatrixTools address={address} onChange={change}>
        <Button
          tone="plain"
          icon="pi-download"
          label={t('list.matrix.download')}
          disabled={file.running || !matrix}
          onClick={() => file.run({ body: { ...question, format: 'xlsx' } })}
        />
      </MatrixTools>
      {file.problem && <Failure problem={file.problem} onRetry={file.reset} />}
      {problem && <Failure problem={problem} onRetry={reload} />}
      {!matrix && !problem && <SkeletonLines lines={8} label={t('list.loading')} />}
      {matrix && !problem && (
        <section className="card matrix-card" aria-busy={running}>
          {matrix.people.length === 0 || matrix.doors.length === 0 ? (
            <EmptyState icon="pi-table" text={t('list.matrix.empty')} />
          ) : (
            <Table matrix={matrix} />
          )}
          <footer className="matrix-foot">
            <ul className="matrix-key">
              {(['granted', 'later', 'denied', 'none'] as const).map((state) => (
                <li key={state}>
                  <span className="matrix-cell" data-tone={matrixLooks[state].tone}>
                    <i className={`pi ${matrixLooks[state].icon}`} aria-hidden="true" />
                  </span>
                  {t(`list.matrix.states.${state}`)}
                </li>
              ))}
            </ul>
            <span className="matrix-pagers">
              <Pager
                words="people"
                page={address.people_page}
                size={matrixPage.people}
                total={matrix.people_total}
                onPage={(page) => change({ people_page: page })}
              />
              <Pager
                words="doors"
                page={address.doors_page}
                size={matrixPage.doors}
                total={matrix.doors_total}
                onPage={(page) => change({ doors_page: page })}
              />
            </span>
          </footer>
        </section>
      )}
    </div>
  );
}

/** Who may pass which doors at a moment: people down, doors across, each cell decided by the same evaluator as the doors. */
export function MatrixPage() {
  const { t } = useText();
  const actor = actorOf(useProfile());
  usePageTitle(t('interface.menu.access-matrix'));
  return hasPermission(actor, 'can_view_access_rules') ? <Matrix /> : <NoAccess />;
}
