import { useSelector } from '@xstate/react';
import { useCallback, useContext, useEffect, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { savedViewForm } from '#models/forms/saved-view.ts';
import { may } from '#models/permissions.ts';
import type { SavedView } from '#models/saved-views.ts';
import { Button } from '#src/components/button.tsx';
import { LineField } from '#src/components/fields/line-field.tsx';
import { Modal } from '#src/components/modal.tsx';
import { Popup } from '#src/components/popup.tsx';
import { useText } from '#src/components/text.ts';
import { TextCopyDialog } from '#src/components/text-copy-dialog.tsx';
import { ClockworkContext } from '#src/components/when.tsx';
import { actorOf, useProfile } from '../profile-of.ts';
import { useSavedViews } from '../system.ts';
import { issueOf, useForm } from '../use-form.ts';
import { useSubmit } from '../use-submit.ts';
import { lastingQuery } from './lasting-link.ts';
import { listPath } from './list-path.ts';
import type { ListPartProps } from './list-part.ts';
import { RowChoice } from './row-choice.tsx';
import { useRequest } from './use-request.ts';
import { viewQuery } from './view-query.ts';

type Props = Pick<ListPartProps, 'entry' | 'resource'>;
const none: readonly SavedView[] = [];

/** The dialog in which what the list shows gets a name. */
function SaveDialog({ resource, onClose }: Pick<Props, 'resource'> & { onClose: () => void }) {
  const { t } = useText();
  const profile = useProfile();
  const views = useSavedViews();
  const [params] = useSearchParams();
  const form = useForm(savedViewForm, { area: resource.area, query: viewQuery(params) }, () => {
    views?.send({ type: 'views.read' });
    onClose();
  });
  const { draft } = form;
  const submit = useSubmit(form);
  const footer = (
    <>
      <Button label={t('interface.cancel')} tone="plain" onClick={onClose} />
      <Button type="submit" form="save-view" label={t('list.views.save')} loading={form.running} />
    </>
  );
  return (
    <Modal title={t('list.views.title')} onDismiss={onClose} footer={footer}>
      <form id="save-view" className="stack" {...submit}>
        <LineField
          field="name"
          label={t('list.views.name')}
          hint={t('list.views.hint')}
          value={draft.name}
          issue={issueOf(form.issues, 'name')}
          required
          inputMode="text"
          onChange={(name) => form.change({ name })}
        />
        <label className="field-flag">
          <input type="checkbox" className="check" checked={draft.is_pinned} onChange={({ target }) => form.change({ is_pinned: target.checked })} />
          <span>{t('list.views.pin')}</span>
        </label>
        {may(actorOf(profile), 'edit', 'roles') && (
          <div className="view-share">
            <RowChoice
              area="roles"
              label={t('list.views.share')}
              value={draft.role}
              onChange={(role) => form.change({ role: { id: role.id, name: role.name } })}
              onRemove={() => form.change({ role: null })}
            />
            {draft.role && <p className="field-hint">{t('list.views.shared_hint', { role: draft.role.name })}</p>}
          </div>
        )}
      </form>
    </Modal>
  );
}

function ViewLine({ view, to, onGone, onOpen }: { view: SavedView; to: string; onGone: () => void; onOpen: () => void }) {
  const { t } = useText();
  const pin = useRequest('changeView', { done: onGone });
  const removal = useRequest('removeView', { done: onGone });
  const { id, name, role, is_own: isOwn, is_pinned: isPinned } = view;
  return (
    <li>
      <Link to={to} className="view-link" onClick={onOpen}>
        <span>{name}</span>
        {role && <span className="cell-sub">{t(isOwn ? 'list.views.shared' : 'list.views.shared_by', { role: role.name })}</span>}
      </Link>
      {isOwn && (
        <>
          <button
            type="button"
            className="icon-button"
            aria-pressed={isPinned}
            disabled={pin.running}
            aria-label={t('list.views.pin_named', { name })}
            onClick={() => pin.run({ params: { id }, body: { is_pinned: !isPinned } })}
          >
            <i className={`pi ${isPinned ? 'pi-bookmark-fill' : 'pi-bookmark'}`} aria-hidden="true" />
          </button>
          <button
            type="button"
            className="icon-button"
            disabled={removal.running}
            aria-label={t('list.views.remove', { name })}
            onClick={() => removal.run({ params: { id } })}
          >
            <i className="pi pi-trash" aria-hidden="true" />
          </button>
        </>
      )}
    </li>
  );
}

/** The address of what the list shows, to be passed on. */
function LinkDialog({ entry, resource, onClose }: Props & { onClose: () => void }) {
  const { t } = useText();
  const { now } = useContext(ClockworkContext);
  const [params] = useSearchParams();
  // What was shown when the dialog opened.
  const [{ query, isFixed }] = useState(() => lastingQuery(resource.model, params, new Date(now()).toISOString()));
  return (
    <TextCopyDialog
      title={t('list.views.link')}
      text={`${location.origin}${listPath(entry)}${query === '' ? '' : `?${query}`}`}
      note={t(isFixed ? 'list.views.link_fixed' : 'list.views.link_live')}
      onClose={onClose}
    />
  );
}

/** The views that one has of this list, on its button, and keeping what the list shows as another one. */
export default function ViewsChoice({ entry, resource, anchor, onClose }: Props & { anchor: HTMLElement; onClose: () => void }) {
  const { t } = useText();
  const actor = useSavedViews();
  const [asked, setAsked] = useState<'save' | 'link'>();
  const views = useSelector(actor, (snapshot) => snapshot?.context.views ?? none);
  const failed = useSelector(actor, (snapshot) => snapshot?.hasTag('failed') ?? true);
  const read = useCallback(() => actor?.send({ type: 'views.read' }), [actor]);
  // What colleagues have shared since is there when one looks.
  useEffect(() => read(), [read]);
  const here = views.filter(({ area }) => area === resource.area);
  if (asked === 'save') return <SaveDialog resource={resource} onClose={onClose} />;
  if (asked === 'link') return <LinkDialog entry={entry} resource={resource} onClose={onClose} />;
  return (
    <Popup anchor={anchor} end label={t('list.views.button')} onClose={onClose}>
      <div className="views-choice">
        {here.length > 0 && (
          <ul>
            {here.map((view) => (
              <ViewLine key={view.id} view={view} to={`${listPath(entry)}?${view.query}`} onGone={read} onOpen={onClose} />
            ))}
          </ul>
        )}
        {here.length === 0 && <p className="field-hint">{t(failed ? 'list.views.failed' : 'list.views.none')}</p>}
        <button type="button" className="link-button" onClick={() => setAsked('save')}>
          {t('list.views.save_this')}
        </button>
        <button type="button" className="link-button" onClick={() => setAsked('link')}>
          {t('list.views.copy_link')}
        </button>
      </div>
    </Popup>
  );
}
