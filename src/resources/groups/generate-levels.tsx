import { TextInput } from '#src/components/text-input.tsx';
import { useSelector } from '@xstate/react';
import { useId, type ReactNode } from 'react';
import { freshLevel, type LevelDraft } from '#models/forms/generated-groups.ts';
import { emptyQuery } from '#models/query.ts';
import { asText } from '#src/components/as-text.ts';
import '#src/components/fields/fields.css';
import { AddChip } from '#src/components/chips.tsx';
import { useText } from '#src/components/text.ts';
import { useOwnList } from '#src/views/view-child.ts';

interface LevelsProps {
  levels: readonly LevelDraft[];
  /** What is wrong, by `<place>.<field>`. */
  issues: ReadonlyMap<string, string>;
  onChange: (levels: LevelDraft[]) => void;
}

/** How deep a generated tree may be, as the contract has it. */
const MOST_LEVELS = 6;

/** The kinds of groups to choose from. */
function useGroupTypes(): { id: string; name: string }[] {
  const actor = useOwnList('group-types', { ...emptyQuery, size: 100, sort: ['name'] });
  return (useSelector(actor, (snapshot) => snapshot?.context.rows) ?? []).map(({ id, name }) => ({ id, name: asText(name) }));
}

function Labelled({
  label,
  issue,
  children,
}: {
  label: string;
  issue: string | undefined;
  children: (id: string, about: string | undefined) => ReactNode;
}) {
  const id = useId();
  return (
    <div className="field" data-invalid={issue !== undefined}>
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      {children(id, issue ? `${id}-issue` : undefined)}
      {issue && (
        <p id={`${id}-issue`} className="field-issue">
          {issue}
        </p>
      )}
    </div>
  );
}

function Level({
  level,
  at,
  types,
  issues,
  onChange,
  onRemove,
}: {
  level: LevelDraft;
  at: number;
  types: { id: string; name: string }[];
  issues: LevelsProps['issues'];
  onChange: (part: Partial<LevelDraft>) => void;
  onRemove: (() => void) | undefined;
}) {
  const { t } = useText();
  const word = (key: string) => t(`areas.groups.generate.${key}`);
  const line = (field: 'count' | 'prefix' | 'from' | 'except', numeric: boolean) => (
    <Labelled label={word(field)} issue={issues.get(`${at}.${field}`)}>
      {(id, about) => (
        <TextInput
          id={id}
          value={level[field]}
          inputMode={numeric ? 'numeric' : 'text'}
          invalid={about !== undefined}
          aria-describedby={about}
          onChange={(event) => onChange({ [field]: event.target.value })}
        />
      )}
    </Labelled>
  );
  const flag = (field: 'logicNumber' | 'runsOn' | 'startsWithParent', key: string) => (
    <label className="field-flag">
      <input type="checkbox" className="check" checked={level[field]} onChange={(event) => onChange({ [field]: event.target.checked })} />
      <span>{word(key)}</span>
    </label>
  );
  return (
    <fieldset className="level">
      <legend>{t('areas.groups.generate.level', { number: at + 1 })}</legend>
      {onRemove && (
        <button type="button" className="icon-button level-remove" aria-label={word('remove_level')} onClick={onRemove}>
          <i className="pi pi-times" aria-hidden="true" />
        </button>
      )}
      <div className="level-fields">
        <Labelled label={word('type')} issue={issues.get(`${at}.type`)}>
          {(id, about) => (
            <select
              id={id}
              className="plain-select"
              value={level.type}
              aria-invalid={about !== undefined}
              aria-describedby={about}
              onChange={(event) => onChange({ type: event.target.value })}
            >
              <option value="">{t('list.fields.choose')}</option>
              {types.map((type) => (
                <option key={type.id} value={type.id}>
                  {type.name}
                </option>
              ))}
            </select>
          )}
        </Labelled>
        {line('count', true)}
        {line('prefix', false)}
        {line('from', true)}
        {line('except', false)}
      </div>
      <div className="level-flags">
        {flag('logicNumber', 'logic_number')}
        {at > 0 && flag('runsOn', 'is_in_youngest_num')}
        {at > 0 && flag('startsWithParent', 'is_start_youngest_num')}
      </div>
    </fieldset>
  );
}

/** The levels of the tree to be generated, outermost first. */
export function GenerateLevels({ levels, issues, onChange }: LevelsProps) {
  const { t } = useText();
  const types = useGroupTypes();
  return (
    <>
      {levels.map((level, at) => (
        <Level
          key={level.key}
          level={level}
          at={at}
          types={types}
          issues={issues}
          onChange={(part) => onChange(levels.map((old, index) => (index === at ? { ...old, ...part } : old)))}
          onRemove={levels.length > 1 ? () => onChange(levels.filter((_, index) => index !== at)) : undefined}
        />
      ))}
      {levels.length < MOST_LEVELS && (
        <AddChip
          label={t('areas.groups.generate.add_level')}
          onClick={() => onChange([...levels, freshLevel(Math.max(...levels.map(({ key }) => key)) + 1)])}
        />
      )}
    </>
  );
}
