import { TextInput } from '#src/components/text-input.tsx';
import { useId, useMemo, useState } from 'react';
import { type PermissionArea, permissionCatalogue } from '#models/permission-catalogue.ts';
import { useText } from './text.ts';
import './permission-tree.css';

interface PermissionTreeProps {
  value: readonly string[];
  onChange: (codes: string[]) => void;
  readOnly: boolean;
  /** Whether the person may put this code into a role or take it out. */
  grantable: (code: string) => boolean;
  label: string;
}
interface Branch {
  area: PermissionArea;
  label: string;
  codes: { code: string; label: string }[];
}

/** The catalogue in words, only what matches the search. */
function useBranches(search: string): Branch[] {
  const { t } = useText();
  const all = useMemo(
    () =>
      (Object.entries(permissionCatalogue) as [PermissionArea, readonly string[]][]).map(([area, codes]) => ({
        area,
        label: t(`permissions.areas.${area}`),
        codes: codes.map((code) => ({ code, label: t(`permissions.codes.${code}`) })),
      })),
    [t],
  );
  return useMemo(() => {
    const wanted = search.trim().toLocaleLowerCase();
    if (!wanted) return all;
    return all.flatMap((branch) => {
      if (branch.label.toLocaleLowerCase().includes(wanted)) return [branch];
      const codes = branch.codes.filter(({ label }) => label.toLocaleLowerCase().includes(wanted));
      return codes.length > 0 ? [{ ...branch, codes }] : [];
    });
  }, [all, search]);
}

interface BranchProps extends Omit<PermissionTreeProps, 'value' | 'label'> {
  branch: Branch;
  held: ReadonlySet<string>;
  open: boolean;
  onOpen: () => void;
}

function BranchView({ branch, held, open, onOpen, onChange, readOnly, grantable }: BranchProps) {
  const { t } = useText();
  const id = useId();
  const mine = branch.codes.filter(({ code }) => held.has(code)).length;
  const free = branch.codes.filter(({ code }) => grantable(code)).map(({ code }) => code);
  const state = mine === 0 ? 'none' : mine === branch.codes.length ? 'all' : 'some';
  const setAll = (on: boolean) => onChange([...[...held].filter((code) => !free.includes(code)), ...(on ? free : [])]);
  const set = (code: string, on: boolean) => onChange(on ? [...held, code] : [...held].filter((other) => other !== code));
  return (
    <li className="grant-branch">
      <div className="grant-head">
        <button type="button" className="icon-button" aria-expanded={open} aria-controls={id} aria-label={branch.label} onClick={onOpen}>
          <i className={`pi ${open ? 'pi-chevron-down' : 'pi-chevron-right'}`} aria-hidden="true" />
        </button>
        <label className="field-flag">
          <input
            type="checkbox"
            className="check"
            checked={state === 'all'}
            disabled={readOnly || free.length === 0}
            ref={(box) => {
              if (box) box.indeterminate = state === 'some';
            }}
            onChange={() => setAll(!free.every((code) => held.has(code)))}
          />
          <span className="grant-area">{branch.label}</span>
        </label>
        <button type="button" className="grant-count" tabIndex={-1} aria-hidden="true" data-some={mine > 0} onClick={onOpen}>
          {t('list.permissions.count', { held: mine, total: branch.codes.length })}
        </button>
      </div>
      {open && (
        <ul id={id} className="grant-codes">
          {branch.codes.map(({ code, label }) => (
            <li key={code}>
              <label className="field-flag" title={grantable(code) || readOnly ? undefined : t('list.permissions.more_than_own')}>
                <input
                  type="checkbox"
                  className="check"
                  checked={held.has(code)}
                  disabled={readOnly || !grantable(code)}
                  onChange={(event) => set(code, event.target.checked)}
                />
                <span>{label}</span>
              </label>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

/** The permissions of a role by area, each area as a branch with its own mark and count. */
export function PermissionTree({ value, onChange, readOnly, grantable, label }: PermissionTreeProps) {
  const { t } = useText();
  const [search, setSearch] = useState('');
  const [open, setOpen] = useState<ReadonlySet<PermissionArea>>(new Set());
  const branches = useBranches(search);
  const held = useMemo(() => new Set(value), [value]);
  const limited = useMemo(
    () =>
      Object.values(permissionCatalogue)
        .flat()
        .some((code) => !grantable(code)),
    [grantable],
  );
  const allOpen = branches.every(({ area }) => open.has(area));
  // Sorted, as rows hold them: what is taken and given back is no change.
  const change = (codes: string[]) => onChange(codes.toSorted());
  const flip = (area: PermissionArea) => {
    const next = new Set(open);
    if (!next.delete(area)) next.add(area);
    setOpen(next);
  };
  return (
    <div className="grants" role="group" aria-label={label}>
      <div className="grant-tools">
        <TextInput
          type="search"
          value={search}
          placeholder={t('list.permissions.search')}
          aria-label={t('list.permissions.search')}
          onChange={(event) => setSearch(event.target.value)}
        />
        <button type="button" className="link-button" onClick={() => setOpen(allOpen ? new Set() : new Set(branches.map(({ area }) => area)))}>
          {t(allOpen ? 'list.tree.collapse' : 'list.tree.expand')}
        </button>
        <span className="grant-total">{t('list.permissions.held', { count: held.size })}</span>
      </div>
      {!readOnly && limited && (
        <p className="grant-limit">
          <i className="pi pi-lock" aria-hidden="true" /> {t('list.permissions.more_than_own')}
        </p>
      )}
      <ul className="grant-tree">
        {branches.map((branch) => (
          <BranchView
            key={branch.area}
            branch={branch}
            held={held}
            open={search.trim() !== '' || open.has(branch.area)}
            onOpen={() => flip(branch.area)}
            onChange={change}
            readOnly={readOnly}
            grantable={grantable}
          />
        ))}
      </ul>
      {branches.length === 0 && <p className="field-hint">{t('list.picker.nothing')}</p>}
    </div>
  );
}
