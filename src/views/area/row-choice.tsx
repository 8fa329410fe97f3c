import { useEffect, useId, useState } from 'react';
import type { AreaName } from '#models/areas.ts';
import { AddChip, Chip } from '#src/components/chips.tsx';
import type { Chosen } from '#src/components/fields/field-props.ts';
import { useText } from '#src/components/text.ts';
import { useWorkspace } from '#src/views/system.ts';

interface RowChoiceProps {
  area: AreaName;
  /** What choosing is called as long as nothing is chosen. */
  label: string;
  value: Chosen | null;
  onChange: (row: Chosen) => void;
  /** Takes the choice back, where it may be left out. */
  onRemove?: () => void;
}

/** One row of another area, chosen in the sheet that all areas choose in. */
export function RowChoice({ area, label, value, onChange, onRemove }: RowChoiceProps) {
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
    workspace.send({ type: 'picker.open', area, multiple: false, chosen: value ? [value] : [], path: [], reply });
  };
  return (
    <div className="chips">
      {value && (
        <Chip onOpen={open} onRemove={onRemove} removeLabel={t('list.fields.remove', { name: value.name })}>
          {value.name}
        </Chip>
      )}
      <AddChip label={value ? t('list.fields.change') : label} onClick={open} />
    </div>
  );
}
