import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { AnyModel } from '#models/define-model.ts';
import { useChangeParams } from '../shell/address-params.ts';
import { type AddressPatch, changedAddress, type ListAddress, readAddress } from './list-address.ts';

/** What the address of this list says, and a way to change it; turning back undoes a change unless it was typing. */
export function useAddress(model: AnyModel): [ListAddress, (patch: AddressPatch) => void] {
  const [params] = useSearchParams();
  const changeParams = useChangeParams();
  const address = useMemo(() => readAddress(params, model), [params, model]);
  const change = useCallback(
    (patch: AddressPatch) =>
      changeParams((present) => changedAddress(present, readAddress(present, model), patch), {
        replace: 'search' in patch && Object.keys(patch).length === 1,
      }),
    [changeParams, model],
  );
  return [address, change];
}
