import { Button } from '#src/components/button.tsx';
import { useCallback } from 'react';
import { generatedGroupsForm } from '#models/forms/generated-groups.ts';
import type { GeneratedGroup, Group } from '#models/groups.ts';
import type { Issue } from '#models/issues.ts';
import { Modal } from '#src/components/modal.tsx';
import { ProblemText } from '#src/components/problem-text.tsx';
import { sayIssue, useText } from '#src/components/text.ts';
import type { ActionProps } from '#src/views/area/resource.ts';
import { useWorkspace } from '#src/views/system.ts';
import { useForm } from '#src/views/use-form.ts';
import { GenerateLevels } from './generate-levels.tsx';
import { GeneratePreview } from './generate-preview.tsx';
import { countOf, replaced, type Spot } from './generated.ts';
import './groups.css';

/** What is wrong with the levels in words, by `<place>.<input>`. */
function useIssueTexts(issues: readonly Issue[]): ReadonlyMap<string, string> {
  const words = useText();
  const said = (issue: Issue): string =>
    issue.path[2] === 'except' && issue.rule === 'invalid' ? words.t('areas.groups.generate.except_issue') : sayIssue(words, issue);
  return new Map(issues.map((issue) => [`${issue.path[1]}.${issue.path[2]}`, said(issue)]));
}

/** Generates groups below one: levels, then the proposed tree to be looked over, then the work itself as a job. */
export default function GenerateDialog({ row, close }: ActionProps<Pick<Group, 'id' | 'name' | 'version'> & Group>) {
  const { t } = useText();
  const workspace = useWorkspace();
  const form = useForm(generatedGroupsForm, { id: row.id }, ({ groups }, goOn) => goOn({ proposed: groups }));
  const { levels, proposed } = form.draft;
  const texts = useIssueTexts(form.issues);
  const { change: changeForm } = form;
  const change = useCallback(
    (spot: Spot, part: Partial<GeneratedGroup> | null) => proposed && changeForm({ proposed: replaced(proposed, spot, part) }),
    [proposed, changeForm],
  );
  const store = () => {
    workspace.send({ type: 'job.start', request: { kind: 'generate_groups', area: 'groups', groupId: row.id, groups: [...(proposed ?? [])] } });
    close();
  };
  const count = countOf(proposed ?? []);
  return (
    <Modal
      width="wide"
      title={t('areas.groups.generate.title', { name: row.name })}
      onDismiss={form.running ? undefined : close}
      footer={
        <>
          {proposed && (
            <Button
              tone="quiet"
              className="foot-apart"
              icon="pi-arrow-left"
              label={t('areas.groups.generate.back')}
              onClick={() => form.change({ proposed: null })}
            />
          )}
          <Button tone="plain" label={t('list.cancel')} onClick={close} />
          {proposed ? (
            <Button disabled={count === 0} label={t('areas.groups.generate.create', { count })} onClick={store} />
          ) : (
            <Button label={t('areas.groups.generate.preview')} loading={form.running} onClick={form.save} />
          )}
        </>
      }
    >
      {form.problem && !proposed && (
        <div className="notice notice-bad" role="alert">
          <i className="pi pi-exclamation-circle" aria-hidden="true" />
          <div>
            <ProblemText problem={form.problem} />
          </div>
        </div>
      )}
      {proposed ? (
        <>
          <p className="quiet">{t('areas.groups.generate.look_over')}</p>
          <GeneratePreview groups={proposed} spot={[]} onChange={change} />
        </>
      ) : (
        <GenerateLevels levels={levels} issues={texts} onChange={(next) => form.change({ levels: next })} />
      )}
    </Modal>
  );
}
