import { useSelector } from '@xstate/react';
import { type KeyboardEvent, useEffect, useId, useRef } from 'react';
import { keyOf, type Offer, type OfferKind } from '#machines/palette/offers.ts';
import type { PaletteActor } from '#machines/palette/palette.machine.ts';
import { Button } from '#src/components/button.tsx';
import { DialogLayer } from '#src/components/dialog-layer.tsx';
import { useProblemText, useText } from '#src/components/text.ts';
import { usePaletteActor } from '../view-child.ts';
import { DoorQuestion } from './door-question.tsx';
import { useOwnOffers } from './own-offers.ts';
import { useFollow } from './use-follow.ts';
import './palette.css';

const icons: Record<OfferKind, `pi-${string}`> = {
  act: 'pi-bolt',
  screen: 'pi-window-maximize',
  door: 'pi-lock-open',
  users: 'pi-user',
  groups: 'pi-sitemap',
  devices: 'pi-tablet',
  'sip-numbers': 'pi-hashtag',
};

interface LineProps {
  id: string;
  offer: Offer;
  marked: boolean;
  onPick: () => void;
}
/** One line: what it is called, where it belongs, of what kind it is. */
function Line({ id, offer, marked, onPick }: LineProps) {
  const { t } = useText();
  const line = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (marked) line.current?.scrollIntoView({ block: 'nearest' });
  }, [marked]);
  const { kind, title, detail } = offer;
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- keys belong to the field, which marks this line
    <li ref={line} id={id} className="palette-line" role="option" aria-selected={marked} onClick={onPick}>
      <i className={`pi ${icons[kind]}`} aria-hidden="true" />
      <span className="palette-title">
        <span>{kind === 'door' ? t('shell.palette.door.open', { name: title }) : title}</span>
        {detail && <span className="cell-sub">{detail}</span>}
      </span>
      <span className="palette-kind">{t(`shell.palette.kinds.${kind}`)}</span>
    </li>
  );
}

const moves: Readonly<Record<string, 'next' | 'previous' | 'first' | 'last'>> = {
  ArrowDown: 'next',
  ArrowUp: 'previous',
  PageUp: 'first',
  PageDown: 'last',
};
/** The keys of the field: arrows move the mark, Enter takes the marked line. */
function pressed(event: KeyboardEvent<HTMLInputElement>, palette: PaletteActor): void {
  if (event.nativeEvent.isComposing) return;
  const to = moves[event.key];
  if (!to && event.key !== 'Enter') return;
  event.preventDefault();
  palette.send(to ? { type: 'palette.move', to } : { type: 'palette.pick' });
}

/** What there is to say beside the lines: nothing found, or that rows could not be looked for. */
function Standing({ palette }: { palette: PaletteActor }) {
  const { t } = useText();
  const sayProblem = useProblemText();
  const { offers, problem } = useSelector(palette, ({ context }) => context);
  const failed = useSelector(palette, (snapshot) => snapshot.hasTag('failed'));
  const searching = useSelector(palette, (snapshot) => snapshot.hasTag('searching'));
  if (failed && problem)
    return (
      <p className="palette-note field-issue" role="alert">
        {sayProblem(problem)} <Button tone="quiet" small label={t('interface.retry')} onClick={() => palette.send({ type: 'palette.retry' })} />
      </p>
    );
  const nothing = offers.length === 0 && !searching;
  return (
    <p className={nothing ? 'palette-note quiet' : 'unseen'} role="status">
      {searching ? '' : t('shell.palette.found', { count: offers.length })}
    </p>
  );
}

function Choosing({ palette }: { palette: PaletteActor }) {
  const { t } = useText();
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const { text, offers, at } = useSelector(palette, ({ context }) => context);
  useEffect(() => field.current?.focus(), []);
  const optionId = (offer: Offer): string => `${id}-${keyOf(offer)}`;
  const marked = offers[at];
  return (
    <>
      <div className="palette-field">
        <i className="pi pi-search" aria-hidden="true" />
        <input
          ref={field}
          type="text"
          role="combobox"
          aria-expanded={offers.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={marked && optionId(marked)}
          aria-autocomplete="list"
          aria-label={t('shell.palette.title')}
          placeholder={t('shell.palette.hint')}
          autoComplete="off"
          spellCheck={false}
          maxLength={100}
          value={text}
          onChange={(event) => palette.send({ type: 'palette.type', text: event.target.value })}
          onKeyDown={(event) => pressed(event, palette)}
        />
      </div>
      <ul id={`${id}-list`} className="palette-lines" role="listbox" aria-label={t('shell.palette.title')}>
        {offers.map((offer) => (
          <Line
            key={keyOf(offer)}
            id={optionId(offer)}
            offer={offer}
            marked={offer === marked}
            onPick={() => palette.send({ type: 'palette.pick', key: keyOf(offer) })}
          />
        ))}
      </ul>
      <Standing palette={palette} />
    </>
  );
}

function Open({ palette, onClose, onKeys }: { palette: PaletteActor; onClose: () => void; onKeys: () => void }) {
  const { t } = useText();
  const follow = useFollow(onKeys);
  const choosing = useSelector(palette, (snapshot) => snapshot.hasTag('choosing'));
  useEffect(() => {
    const picked = palette.on('palette.picked', ({ offer }) => {
      onClose();
      // After the focus is back where it was, so that what opens takes it from there.
      queueMicrotask(() => follow(offer));
    });
    return () => picked.unsubscribe();
  }, [palette, onClose, follow]);
  return (
    <DialogLayer className="palette" label={t('shell.palette.title')} onDismiss={choosing ? onClose : () => palette.send({ type: 'palette.back' })}>
      {choosing ? <Choosing palette={palette} /> : <DoorQuestion palette={palette} />}
    </DialogLayer>
  );
}

/** The command palette: everything one may go to or do, by name. */
export default function Palette({ onClose, onKeys }: { onClose: () => void; onKeys: () => void }) {
  const palette = usePaletteActor(useOwnOffers());
  return palette ? <Open palette={palette} onClose={onClose} onKeys={onKeys} /> : null;
}
