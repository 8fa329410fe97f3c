import { useId, useMemo } from 'react';
import { type ClientDraft, clientsForm } from '#models/forms/registration-settings.ts';
import type { Issue } from '#models/issues.ts';
import { clientFeatures, type ShownClients } from '#models/project-settings.ts';
import { Button } from '#src/components/button.tsx';
import { describedBy, FieldFrame } from '#src/components/fields/field-frame.tsx';
import { TextInput } from '#src/components/text-input.tsx';
import { sayIssue, useText } from '#src/components/text.ts';
import { firstRows, useRows } from '../home/use-rows.ts';
import { useForm } from '../use-form.ts';
import { SettingForm, useMayChange } from './setting-form.tsx';

type Named = Readonly<Record<string, unknown>> & { id: string; name: string };
type Choice = Pick<Named, 'id' | 'name'>;
interface ClientProps {
  client: ClientDraft;
  /** What is wrong with it, each at its field. */
  issues: readonly Issue[];
  roles: readonly Choice[];
  mayChange: boolean;
  onChange: (part: Partial<ClientDraft>) => void;
  onRemove: () => void;
}

function ClientLine({ client, issues, roles, mayChange, onChange, onRemove }: ClientProps) {
  const words = useText();
  const { t } = words;
  const id = useId();
  const said = (field: string): string | undefined => {
    const found = issues.find(({ path }) => path.at(-1) === field);
    return found && sayIssue(words, found);
  };
  const label = (field: string): string => t(`areas.project-settings.fields.self_registration.${field}`);
  const line = (field: 'type' | 'license_period_days', required: boolean) => (
    <FieldFrame id={`${id}-${field}`} path={field} label={label(field)} issue={said(field)} required={required}>
      <TextInput
        id={`${id}-${field}`}
        value={client[field]}
        inputMode={required ? 'text' : 'numeric'}
        placeholder={required ? undefined : t('areas.project-settings.no_limit')}
        invalid={said(field) !== undefined}
        aria-describedby={describedBy(`${id}-${field}`, undefined, said(field))}
        onChange={({ target }) => onChange({ [field]: target.value })}
      />
    </FieldFrame>
  );
  return (
    <li className="client-line">
      <div className="setting-grid client-grid">
        {line('type', true)}
        <FieldFrame id={`${id}-role`} path="role" label={label('role')} issue={said('role')} required>
          <select
            id={`${id}-role`}
            className="native-select"
            value={client.role}
            aria-invalid={said('role') !== undefined}
            aria-describedby={describedBy(`${id}-role`, undefined, said('role'))}
            onChange={({ target }) => onChange({ role: target.value })}
          >
            <option value="">{t('areas.project-settings.choose_role')}</option>
            {roles.map((role) => (
              <option key={role.id} value={role.id}>
                {role.name}
              </option>
            ))}
          </select>
        </FieldFrame>
        {line('license_period_days', false)}
      </div>
      <fieldset className="client-features">
        <legend className="field-label">{label('features')}</legend>
        {clientFeatures.map((feature) => (
          <label key={feature} className="field-flag">
            <input
              type="checkbox"
              className="check"
              checked={client.features.includes(feature)}
              onChange={({ target }) =>
                onChange({ features: target.checked ? [...client.features, feature] : client.features.filter((one) => one !== feature) })
              }
            />
            <span>{t(`areas.project-settings.options.features.${feature}`)}</span>
          </label>
        ))}
      </fieldset>
      {mayChange && <Button tone="danger-quiet" small icon="pi-trash" label={t('areas.project-settings.remove_client')} onClick={onRemove} />}
    </li>
  );
}

const fresh: ClientDraft = { type: '', role: '', license_period_days: '', features: ['mobile_app', 'identifier'] };

/** What people become who register by themselves: a line a type. */
export function ClientsForm({ settings, adopt }: { settings: ShownClients; adopt: (settings: ShownClients) => void }) {
  const words = useText();
  const { t } = words;
  const mayChange = useMayChange();
  const form = useForm(clientsForm, settings, (saved) => adopt(saved));
  const { clients } = form.draft;
  const simpleId = useId();
  const query = useMemo(() => firstRows(200, [], ['name']), []);
  const { rows } = useRows<Named>('roles', query);
  // Roles that are in use stand in the list, whether the person may see them or not.
  const roles: Choice[] = [...rows, ...settings.clients.map(({ role }) => role).filter(({ id }) => !rows.some((row) => row.id === id))];
  const put = (at: number, part: Partial<ClientDraft>): void =>
    form.change({ clients: clients.map((client, place) => (place === at ? { ...client, ...part } : client)) });
  const [whole] = form.issues.filter(({ path }) => path.length === 1);
  return (
    <SettingForm
      title={t('areas.project-settings.sections.self_registration')}
      about={t('areas.project-settings.self_registration_about')}
      form={form}
    >
      {whole && (
        <p className="field-issue" role="alert">
          {sayIssue(words, whole)}
        </p>
      )}
      {clients.length === 0 && <p className="quiet">{t('areas.project-settings.no_clients')}</p>}
      <ul className="client-lines">
        {clients.map((client, at) => (
          <ClientLine
            // oxlint-disable-next-line react/no-array-index-key -- a line has no name but its place
            key={at}
            client={client}
            issues={form.issues.filter(({ path }) => path[1] === at)}
            roles={roles}
            mayChange={mayChange}
            onChange={(part) => put(at, part)}
            onRemove={() => form.change({ clients: clients.filter((_, place) => place !== at) })}
          />
        ))}
      </ul>
      {mayChange && (
        <div>
          <Button
            tone="quiet"
            small
            icon="pi-plus"
            label={t('areas.project-settings.add_client')}
            disabled={form.running || clients.length >= 20}
            onClick={() => form.change({ clients: [...clients, fresh] })}
          />
        </div>
      )}
      {clients.length > 1 && (
        <FieldFrame id={simpleId} path="simple_type" label={t('areas.project-settings.fields.self_registration.simple_type')} required={false}>
          <select
            id={simpleId}
            className="native-select"
            value={clients.some(({ type }) => type.trim() === form.draft.simple_type) ? form.draft.simple_type : ''}
            onChange={({ target }) => form.change({ simple_type: target.value })}
          >
            <option value="">{t('areas.project-settings.first_type')}</option>
            {[...new Set(clients.map(({ type }) => type.trim()).filter(Boolean))].map((type) => (
              <option key={type} value={type}>
                {type}
              </option>
            ))}
          </select>
        </FieldFrame>
      )}
    </SettingForm>
  );
}
