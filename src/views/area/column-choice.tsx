import { Button } from '#src/components/button.tsx';
import { useState } from 'react';
import { Popup } from '#src/components/popup.tsx';
import { useText } from '#src/components/text.ts';
import type { ListPartProps } from './list-part.ts';
import { chosenColumns } from './use-columns.tsx';

type Props = Pick<ListPartProps, 'resource' | 'address' | 'change'>;

function Choice({ resource, address, change }: Props) {
  const { t } = useText();
  const [first] = resource.columns;
  const chosen = chosenColumns(resource, address.columns)
    .map(({ key }) => key)
    .slice(1);
  const others = resource.columns.map(({ key }) => key).filter((key) => key !== first?.key && !chosen.includes(key));
  const name = (key: string) => t(`areas.${resource.area}.fields.${key}`);
  const swap = (at: number, step: -1 | 1) => {
    const keys = [...chosen];
    const [moved] = keys.splice(at, 1);
    if (moved) keys.splice(at + step, 0, moved);
    change({ columns: keys });
  };
  return (
    <div className="column-choice">
      <ul>
        {chosen.map((key, at) => (
          <li key={key}>
            <label className="field-flag">
              <input type="checkbox" className="check" checked onChange={() => change({ columns: chosen.filter((other) => other !== key) })} />
              <span>{name(key)}</span>
            </label>
            <button
              type="button"
              className="icon-button"
              disabled={at === 0}
              aria-label={t('list.columns_up', { name: name(key) })}
              onClick={() => swap(at, -1)}
            >
              <i className="pi pi-arrow-up" aria-hidden="true" />
            </button>
            <button
              type="button"
              className="icon-button"
              disabled={at === chosen.length - 1}
              aria-label={t('list.columns_down', { name: name(key) })}
              onClick={() => swap(at, 1)}
            >
              <i className="pi pi-arrow-down" aria-hidden="true" />
            </button>
          </li>
        ))}
        {others.map((key) => (
          <li key={key}>
            <label className="field-flag">
              <input type="checkbox" className="check" checked={false} onChange={() => change({ columns: [...chosen, key] })} />
              <span>{name(key)}</span>
            </label>
          </li>
        ))}
      </ul>
      {address.columns && (
        <button type="button" className="link-button column-reset" onClick={() => change({ columns: undefined })}>
          {t('list.columns_reset')}
        </button>
      )}
    </div>
  );
}

/** Which columns the list shows, and in which order. */
export default function ColumnChoice(props: Props) {
  const { t } = useText();
  const [anchor, setAnchor] = useState<HTMLElement>();
  return (
    <>
      <Button
        tone="plain"
        className="tool-columns"
        label={t('list.columns')}
        aria-haspopup="dialog"
        aria-expanded={anchor !== undefined}
        onClick={(event) => setAnchor(anchor ? undefined : event.currentTarget)}
      />
      {anchor && (
        <Popup anchor={anchor} end label={t('list.columns')} onClose={() => setAnchor(undefined)}>
          <Choice {...props} />
        </Popup>
      )}
    </>
  );
}
