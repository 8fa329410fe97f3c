import { useEffect, useId, useState } from 'react';
import { AddChip, Chip } from '#src/components/chips.tsx';
import type { Chosen } from '#src/components/fields/field-props.ts';
import { useText } from '#src/components/text.ts';
import { useWorkspace } from '#src/views/system.ts';

interface GroupChoiceProps {
  value: Chosen | null;
  onChange: (group: Chosen) => void;
}

/** One group, chosen in the sheet that all areas choose in. */
export function GroupChoice({ value, onChange }: GroupChoiceProps) {
  const { t } = useText();
  const workspace = useWorkspace();
  const reply = useId();
  const [asked, setAsked] = useState(false);
  useEffect(() => {
    if (!asked) return;
    const subscription = workspace.on('picker.chosen', (fact) => {
      const [row] = fact.rows;
      if (fact.reply === reply && row) onChange({ id: row.id, name: row.name });
    });
    return () => subscription.unsubscribe();
  }, [asked, workspace, reply, onChange]);
  const open = () => {
    setAsked(true);
    workspace.send({ type: 'picker.open', area: 'groups', multiple: false, chosen: value ? [value] : [], path: ['domain'], reply });
  };
  return (
    <div className="chips">
      {value && <Chip onOpen={open}>{value.name}</Chip>}
      <AddChip label={t(value ? 'list.fields.change' : 'areas.devices.search.choose_group')} onClick={open} />
    </div>
  );
}
