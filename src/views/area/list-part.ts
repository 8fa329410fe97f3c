import type { ListActor } from '#machines/list/list.machine.ts';
import type { AddressPatch, ListAddress } from './list-address.ts';
import type { AnyResource, AreaEntry } from './resource.ts';

/** What each part of a list's page is given. */
export interface ListPartProps {
  entry: AreaEntry;
  resource: AnyResource;
  list: ListActor | undefined;
  address: ListAddress;
  change: (patch: AddressPatch) => void;
}
