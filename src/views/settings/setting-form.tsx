import { type ReactNode, useId } from 'react';
import type { Issue } from '#models/issues.ts';
import type { Problem } from '#models/problem.ts';
import type { PermissionCode } from '#models/permission-catalogue.ts';
import { hasPermission } from '#models/permissions.ts';
import { Button } from '#src/components/button.tsx';
import { ProblemNote } from '#src/components/problem-note.tsx';
import { SkeletonLines } from '#src/components/skeletons.tsx';
import { useText } from '#src/components/text.ts';
import { actorOf, useProfile } from '../profile-of.ts';
import { useSubmit } from '../use-submit.ts';
import { type Setting, SettingField } from './setting-field.tsx';

/** Whether the person may change settings of the project, or only read them: whoever holds one of `codes` may. */
export const useMayChange = (codes: readonly PermissionCode[] = ['can_change_project_settings']): boolean =>
  hasPermission(actorOf(useProfile()), ...codes);

/** A form as its card draws it. */
export interface CardForm {
  draft: object;
  issues: readonly Issue[];
  changed: boolean;
  running: boolean;
  problem: Problem | null;
  save: () => void;
  reset: () => void;
}
interface FieldsProps {
  block: string;
  settings: readonly Setting[];
  form: Pick<CardForm, 'draft' | 'issues'> & { change: (part: never) => void };
}

/** Settings of a block, in a grid. */
export function SettingFields({ block, settings, form }: FieldsProps) {
  return (
    <div className="setting-grid">
      {settings.map((setting) => (
        <SettingField
          key={setting.path}
          block={block}
          setting={setting}
          draft={form.draft as Record<string, unknown>}
          issues={form.issues}
          change={form.change as (part: object) => void}
        />
      ))}
    </div>
  );
}

/** A card of the settings that is no form. */
export function SettingCard({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className="card setting-card" aria-labelledby={id}>
      <header className="card-head">
        <h2 id={id}>{title}</h2>
      </header>
      <div className="setting-body">{children}</div>
    </section>
  );
}

/** A card whose settings are saved together. Who may only read it sees it without buttons. */
export function SettingForm({
  title,
  about,
  form,
  children,
  codes,
}: {
  title: string;
  about?: string;
  form: CardForm;
  children: ReactNode;
  /** Who may change them, where that is somebody else too. */
  codes?: readonly PermissionCode[];
}) {
  const { t } = useText();
  const mayChange = useMayChange(codes);
  const id = useId();
  const submit = useSubmit(form);
  return (
    <form className="card setting-card" aria-labelledby={id} {...submit}>
      <header className="card-head">
        <h2 id={id}>{title}</h2>
      </header>
      <div className="setting-body">
        {about && <p className="quiet">{about}</p>}
        <ProblemNote problem={form.problem && !hasIssues(form.problem) ? form.problem : null} />
        <fieldset className="setting-fields" disabled={!mayChange || form.running} aria-label={title}>
          {children}
        </fieldset>
        {mayChange && (
          <div className="setting-acts">
            <Button type="submit" label={t('areas.project-settings.save')} disabled={!form.changed} loading={form.running} />
            <Button tone="plain" label={t('areas.project-settings.discard')} disabled={!form.changed || form.running} onClick={form.reset} />
          </div>
        )}
      </div>
    </form>
  );
}
/** What is wrong stands at the fields. */
const hasIssues = ({ data }: Problem): boolean => ((data as { issues?: readonly unknown[] } | null | undefined)?.issues?.length ?? 0) > 0;

/** What stands in the place of a card while its settings are read, or where they cannot be. */
export function SettingWait({ title, problem }: { title: string; problem: Problem | null }) {
  return (
    <section className="card setting-card" aria-label={title}>
      <div className="setting-body">
        <ProblemNote problem={problem} />
        {!problem && <SkeletonLines label={title} />}
      </div>
    </section>
  );
}
