import { AddChip, Label } from '#src/components/chips.tsx';
import { TextInput } from '#src/components/text-input.tsx';
import { useText } from '#src/components/text.ts';
import { constants } from '#models/constants.ts';
import type { Chosen, FieldProps } from './field-props.ts';
import { PhonesField } from './phones-field.tsx';
import { RefField } from './ref-field.tsx';
import './numbers.css';

interface Queue {
  /** Seconds; as text while it is typed. */
  delay: number | string;
  numbers: readonly Chosen[];
  phones: readonly string[];
}

/** A queue of outside numbers only waits longer: nobody there knows the house. */
const delayOf = ({ numbers, phones }: Pick<Queue, 'numbers' | 'phones'>): number =>
  numbers.length === 0 && phones.length > 0 ? constants.unnamedForwardTimeoutSeconds : constants.forwardTimeoutSeconds;

/** A queue as it is read: whom it rings and how long. */
function ReadQueue({ queue }: { queue: Queue }) {
  const { t } = useText();
  return (
    <>
      <span className="chips">
        {queue.numbers.map(({ id, name }) => (
          <Label key={id} name={name} />
        ))}
        {queue.phones.map((phone) => (
          <Label key={phone} name={phone} />
        ))}
      </span>
      <span className="quiet small">{t('list.queues.rings', { count: Number(queue.delay) })}</span>
    </>
  );
}

type Editing = Pick<FieldProps, 'pick'> & { id: string; path: string; queue: Queue; onChange: (queue: Queue) => void };
function EditQueue({ id, path, queue, onChange, pick }: Editing) {
  const { t } = useText();
  const meta = { kind: 'refs', ref: 'sip-numbers', nullable: false, optional: false };
  const follow = (next: Queue) => onChange(Number(queue.delay) === delayOf(queue) ? { ...next, delay: delayOf(next) } : next);
  const common = { invalid: false, describedBy: undefined } as const;
  return (
    <>
      <RefField
        {...common}
        id={`${id}-numbers`}
        path={`${path}.numbers`}
        area="groups"
        label={t('list.queues.numbers')}
        value={queue.numbers}
        onChange={(numbers) => follow({ ...queue, numbers: numbers as Chosen[] })}
        meta={meta}
        readOnly={false}
        required={false}
        pick={pick}
        draft={{}}
      />
      <PhonesField
        {...common}
        id={`${id}-phones`}
        label={t('list.queues.phones')}
        value={queue.phones}
        onChange={(phones) => follow({ ...queue, phones: phones as string[] })}
      />
      <label className="queue-delay">
        <span>{t('list.queues.delay')}</span>
        <TextInput
          inputMode="numeric"
          autoComplete="off"
          value={String(queue.delay)}
          onChange={(event) => onChange({ ...queue, delay: event.target.value })}
        />
      </label>
    </>
  );
}

/** Whom a call rings, queue after queue: numbers of one queue ring together. */
export function QueuesField({ id, path, value, onChange, readOnly, pick, label, describedBy }: FieldProps) {
  const { t } = useText();
  const queues = Array.isArray(value) ? (value as Queue[]) : [];
  const button = (name: string, icon: string, at: number, next: () => Queue[]) => (
    <button type="button" className="icon-button" aria-label={t(`list.queues.${name}`, { number: at + 1 })} onClick={() => onChange(next())}>
      <i className={`pi ${icon}`} aria-hidden="true" />
    </button>
  );
  const swapped = (at: number): Queue[] =>
    queues.map((queue, place) => (place === at - 1 ? (queues[at] ?? queue) : place === at ? (queues[at - 1] ?? queue) : queue));
  return (
    <div>
      {queues.length > 0 && (
        <ol className="queues" aria-label={label} aria-describedby={describedBy}>
          {queues.map((queue, at) => (
            // oxlint-disable-next-line react/no-array-index-key -- a queue is known by its place
            <li key={at} className="queue">
              <div className="queue-head">
                <strong>{t('list.queues.one', { number: at + 1 })}</strong>
                {!readOnly && (
                  <span>
                    {at > 0 && button('earlier', 'pi-arrow-up', at, () => swapped(at))}
                    {button('remove', 'pi-trash', at, () => queues.filter((_, place) => place !== at))}
                  </span>
                )}
              </div>
              {readOnly ? (
                <ReadQueue queue={queue} />
              ) : (
                <EditQueue
                  id={`${id}-${at}`}
                  path={`${path}.${at}`}
                  queue={queue}
                  pick={pick}
                  onChange={(next) => onChange(queues.map((other, place) => (place === at ? next : other)))}
                />
              )}
            </li>
          ))}
        </ol>
      )}
      {readOnly && queues.length === 0 && <span className="field-value-none">{t('list.none')}</span>}
      {!readOnly && (
        <AddChip
          id={id}
          label={t('list.queues.add')}
          onClick={() => onChange([...queues, { delay: constants.forwardTimeoutSeconds, numbers: [], phones: [] }])}
        />
      )}
    </div>
  );
}
