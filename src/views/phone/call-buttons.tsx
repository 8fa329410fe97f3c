import type { ReactNode } from 'react';
import { useText } from '#src/components/text.ts';
import './lines.css';

/** Calls a number, with a picture or without. */
export type Dial = (number: string, video: boolean) => void;

interface CallButtonsProps {
  number: string;
  name: string;
  disabled: boolean;
  onDial: Dial;
  /** What else can be done with the line, before them. */
  children?: ReactNode;
}

/** The two ways to call a number, at the end of its line. */
export function CallButtons({ number, name, disabled, onDial, children }: CallButtonsProps) {
  const { t } = useText();
  const ways = [
    { video: false, icon: 'pi-phone', label: 'phone.voice_call_to', title: 'phone.voice_call' },
    { video: true, icon: 'pi-video', label: 'phone.video_call_to', title: 'phone.video_call' },
  ];
  return (
    <span className="line-acts">
      {children}
      {ways.map(({ video, icon, label, title }) => (
        <button
          key={icon}
          type="button"
          className="icon-button"
          aria-label={t(label, { name })}
          title={t(title)}
          disabled={disabled}
          onClick={() => onDial(number, video)}
        >
          <i className={`pi ${icon}`} aria-hidden="true" />
        </button>
      ))}
    </span>
  );
}
