import { type KeyboardEvent, useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { type NavigateOptions, useLocation, useNavigate, useNavigation } from 'react-router-dom';

/** How long somebody may pause between two letters, in milliseconds. */
const pause = 300;

/** What stands behind the `?` of the address now. What a view was drawn with may be older: the router is ahead of the page. */
const presentParams = (): URLSearchParams => new URLSearchParams(location.search);

/** Changes what stands behind the `?`, from what stands there at that moment: of two changes of which neither is drawn yet both count. */
export function useChangeParams(): (change: (present: URLSearchParams) => URLSearchParams, options?: NavigateOptions) => void {
  const navigate = useNavigate();
  return useCallback((change, options) => void navigate(`?${change(presentParams())}`, options), [navigate]);
}

/**
 * A box whose text stands in the address under `name`. What is typed is handed to `put` after a pause or with Enter; blanks alone
 * count as nothing. What another hand has put into the address takes the place of what was typed.
 */
export function useTypedParam(name: string, put: (text: string) => void) {
  const place = useLocation();
  const isStaying = useNavigation().state === 'idle';
  const [text, setText] = useState(() => new URLSearchParams(place.search).get(name) ?? '');
  /** What the box has last put into the address, or taken from it. */
  const known = useRef(text);
  const isOurs = (): boolean => (presentParams().get(name) ?? '') === known.current;
  const finish = (): void => {
    const typed = text.trim() === '' ? '' : text;
    if (typed === known.current || !isOurs()) return;
    known.current = typed;
    put(typed);
  };
  const follow = useEffectEvent(() => {
    if (isOurs()) return;
    known.current = presentParams().get(name) ?? '';
    setText(known.current);
  });
  // oxlint-disable-next-line react/exhaustive-deps -- each new address is looked at
  useEffect(() => follow(), [place]);
  const rest = useEffectEvent(finish);
  useEffect(() => {
    // A change of the address would take the place of the page that is on its way.
    if (!isStaying) return undefined;
    const timer = setTimeout(() => rest(), pause);
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react/exhaustive-deps -- each letter starts the pause anew
  }, [text, isStaying]);
  return {
    value: text,
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) => setText(currentTarget.value),
    onKeyDown: ({ key }: KeyboardEvent) => {
      if (key === 'Enter') finish();
    },
  };
}
