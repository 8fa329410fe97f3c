import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { AnyModel } from '#models/define-model.ts';
import { type AddressPatch, changedAddress, type ListAddress, readAddress } from './list-address.ts';

/** What the address of this list says, and a way to change it; turning back undoes a change unless it was typing. */
export function useAddress(model: AnyModel): [ListAddress, (patch: AddressPatch) => void] {
  const [params, setParams] = useSearchParams();
  const address = useMemo(() => readAddress(params, model), [params, model]);
  const change = useCallback(
    (patch: AddressPatch) =>
      setParams((present) => changedAddress(present, readAddress(present, model), patch), {
        replace: 'search' in patch && Object.keys(patch).length === 1,
      }),
    [setParams, model],
  );
  return [address, change];
}
