import { Button } from './button.tsx';
import { Modal } from './modal.tsx';

/** One button of a question. */
interface Choice {
  action: string;
  label: string;
  tone?: 'primary' | 'danger' | 'plain' | undefined;
}
interface QuestionProps {
  title?: string | undefined;
  text: string;
  choices: readonly Choice[];
  /** The answer that the focus starts on. */
  focus?: string | undefined;
  width?: 'small' | 'normal' | 'wide' | undefined;
  onAnswer: (action: string) => void;
  onDismiss?: (() => void) | undefined;
}

/** A question with its answers as buttons; the focus starts on the answer that changes nothing, unless another is named. */
export function Question({ title, text, choices, focus = choices[0]?.action, width = 'small', onAnswer, onDismiss }: QuestionProps) {
  const buttons = choices.map(({ action, label, tone = 'plain' }) => (
    <Button key={action} label={label} tone={tone} data-focus={action === focus} onClick={() => onAnswer(action)} />
  ));
  return (
    <Modal title={title} label={text} width={width} onDismiss={onDismiss} footer={buttons}>
      <p>{text}</p>
    </Modal>
  );
}
