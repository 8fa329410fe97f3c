import { groupText, wholeGroupText } from '#src/components/group-text.ts';

interface Placed {
  device: { name: string } | null;
  device_name: string;
  path: readonly string[];
}

/** At which device, and where that is, with its building; the whole way stands in the tip. */
export function DevicePlace({ row: { device, device_name: name, path } }: { row: Placed }) {
  const place = groupText({ name: '', path });
  return (
    <span className="cell-sub" title={wholeGroupText({ name: '', path }) || undefined}>
      {[device?.name ?? name, place].filter(Boolean).join(', ')}
    </span>
  );
}
