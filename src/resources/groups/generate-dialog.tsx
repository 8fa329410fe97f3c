import { Button } from '#src/components/button.tsx';
import { useCallback, useState } from 'react';
import { calls } from '#models/api.ts';
import type { GeneratedGroup, Group } from '#models/groups.ts';
import { toIssues } from '#models/issues.ts';
import { Modal } from '#src/components/modal.tsx';
import { ProblemText } from '#src/components/problem-text.tsx';
import { sayIssue, useText } from '#src/components/text.ts';
import type { ActionProps } from '#src/views/area/resource.ts';
import { useRequest } from '#src/views/area/use-request.ts';
import { useWorkspace } from '#src/views/system.ts';
import { GenerateLevels } from './generate-levels.tsx';
import { GeneratePreview } from './generate-preview.tsx';
import { asLevel, countOf, freshLevel, type LevelDraft, numbersIn, replaced, type Spot } from './generated.ts';
import './groups.css';

/** Wire field → input of the level. */
const inputs: Record<string, string> = { id: 'type', count: 'count', prefix: 'prefix', from: 'from', except: 'except' };

/** What is wrong with the levels, by `<place>.<input>`. */
function useIssues(levels: readonly LevelDraft[]): ReadonlyMap<string, string> {
  const words = useText();
  const result = calls.generateGroups.body.safeParse({ levels: levels.map(asLevel) });
  const issues = new Map<string, string>();
  for (const issue of result.success ? [] : toIssues(result.error)) {
    const [, at, ...rest] = issue.path;
    issues.set(`${at}.${inputs[String(rest.at(-1))] ?? String(rest.at(-1))}`, sayIssue(words, issue));
  }
  for (const [at, { except }] of levels.entries())
    if (numbersIn(except) === null) issues.set(`${at}.except`, words.t('areas.groups.generate.except_issue'));
  return issues;
}

/** Generates groups below one: levels, then the proposed tree to be looked over, then the work itself as a job. */
export default function GenerateDialog({ row, close }: ActionProps<Pick<Group, 'id' | 'name' | 'version'> & Group>) {
  const { t } = useText();
  const workspace = useWorkspace();
  const [levels, setLevels] = useState<LevelDraft[]>([freshLevel(1)]);
  const [tried, setTried] = useState(false);
  const [proposed, setProposed] = useState<GeneratedGroup[]>();
  const request = useRequest('generateGroups', { done: ({ groups }) => setProposed(groups) });
  const issues = useIssues(levels);
  const change = useCallback((spot: Spot, part: Partial<GeneratedGroup> | null) => setProposed((tree) => tree && replaced(tree, spot, part)), []);
  const propose = () => {
    setTried(true);
    if (issues.size === 0) request.run({ params: { id: row.id }, body: { levels: levels.map(asLevel) } });
  };
  const store = () => {
    workspace.send({ type: 'job.start', request: { kind: 'generate_groups', area: 'groups', groupId: row.id, groups: proposed ?? [] } });
    close();
  };
  const count = countOf(proposed ?? []);
  return (
    <Modal
      width="wide"
      title={t('areas.groups.generate.title', { name: row.name })}
      onDismiss={request.running ? undefined : close}
      footer={
        <>
          {proposed && (
            <Button
              tone="quiet"
              className="foot-apart"
              icon="pi-arrow-left"
              label={t('areas.groups.generate.back')}
              onClick={() => setProposed(undefined)}
            />
          )}
          <Button tone="plain" label={t('list.cancel')} onClick={close} />
          {proposed ? (
            <Button disabled={count === 0} label={t('areas.groups.generate.create', { count })} onClick={store} />
          ) : (
            <Button label={t('areas.groups.generate.preview')} loading={request.running} onClick={propose} />
          )}
        </>
      }
    >
      {request.problem && !proposed && (
        <div className="notice notice-bad" role="alert">
          <i className="pi pi-exclamation-circle" aria-hidden="true" />
          <div>
            <ProblemText problem={request.problem} />
          </div>
        </div>
      )}
      {proposed ? (
        <>
          <p className="quiet">{t('areas.groups.generate.look_over')}</p>
          <GeneratePreview groups={proposed} spot={[]} onChange={change} />
        </>
      ) : (
        <GenerateLevels levels={levels} issues={tried ? issues : new Map()} onChange={setLevels} />
      )}
    </Modal>
  );
}
