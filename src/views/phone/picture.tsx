import { useContext, useEffect, useRef, useState } from 'react';
import type { CallMirror } from '#machines/phone/mirror.ts';
import { useProblemText, useText } from '#src/components/text.ts';
import { useRequest } from '../area/use-request.ts';
import { useServices } from '../system.ts';
import { useFace } from './call-texts.ts';
import { OwnerContext } from './names.ts';

/** One moving picture of a call: the far side's, or one's own camera. The stream stays with the adapter, by speech id. */
function Moving({ speechId, side, label }: { speechId: string; side: 'remote' | 'local'; label: string }) {
  const { pictures } = useServices();
  const box = useRef<HTMLVideoElement>(null);
  useEffect(() => (box.current ? pictures.attach(speechId, side, box.current) : undefined), [pictures, speechId, side]);
  return <video ref={box} className={`picture-${side}`} aria-label={label} autoPlay playsInline muted />;
}

const pause = { seen: 1_000, nothing: 3_000 } as const;

/** What the caller's camera shows while nobody talks to them: a still, again and again. */
function Still({ speechId, label }: { speechId: string; label: string }) {
  const { pictures } = useServices();
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    let [isGone, shown, timer] = [false, '', 0];
    const look = async (): Promise<void> => {
      const picture = await pictures.still(speechId);
      if (isGone) return;
      if (picture) {
        URL.revokeObjectURL(shown);
        shown = URL.createObjectURL(picture);
        setAddress(shown);
      }
      timer = window.setTimeout(() => void look(), picture ? pause.seen : pause.nothing);
    };
    void look();
    return () => {
      isGone = true;
      window.clearTimeout(timer);
      URL.revokeObjectURL(shown);
    };
  }, [pictures, speechId]);
  return address && <img className="picture-remote" src={address} alt={label} />;
}

/** Keeps what the camera shows with the call; said by the button itself, which may be pressed again for a later one. */
function SaveButton({ call }: { call: CallMirror }) {
  const { t } = useText();
  const { run, running, problem, done } = useRequest('saveCallPicture');
  const isSaved = done && !running && !problem;
  const sayProblem = useProblemText();
  const label = problem ? sayProblem(problem) : t(isSaved ? 'phone.picture.kept' : 'phone.picture.keep');
  return (
    <>
      <button
        type="button"
        className="icon-button picture-keep"
        aria-label={t('phone.picture.keep')}
        title={label}
        disabled={running}
        onClick={() => run({ params: { speechId: call.recordId } })}
      >
        <i
          className={`pi ${running ? 'pi-spin pi-spinner' : isSaved ? 'pi-check' : problem ? 'pi-exclamation-triangle' : 'pi-camera'}`}
          aria-hidden="true"
        />
      </button>
      <span className="unseen" role="status">
        {(isSaved || problem) && label}
      </span>
    </>
  );
}

/** The media area: what the caller's camera shows, before answering too, and one's own picture in its corner. */
export function Picture({ call }: { call: CallMirror }) {
  const { t } = useText();
  const { title } = useFace(call);
  const isHere = useContext(OwnerContext);
  const frame = useRef<HTMLElement>(null);
  const flip = (): void => {
    // Together with the buttons of all calls: nothing covers them.
    const whole = frame.current?.closest('.desk-calls') ?? frame.current;
    const done = document.fullscreenElement ? document.exitFullscreen() : whole?.requestFullscreen();
    // A browser that will not show it large leaves it as it is.
    done?.catch(() => {});
  };
  return (
    <figure ref={frame} className="picture">
      <span className="picture-none" aria-hidden="true">
        {t(isHere || call.isRinging ? 'phone.picture.none' : 'phone.picture.elsewhere')}
      </span>
      {call.isRinging && <Still speechId={call.speechId} label={t('phone.picture.remote', { name: title })} />}
      <Moving speechId={call.speechId} side="remote" label={t('phone.picture.remote', { name: title })} />
      {call.hasCamera && <Moving speechId={call.speechId} side="local" label={t('phone.picture.local')} />}
      <figcaption>{title === call.number ? title : `${title} · ${call.number}`}</figcaption>
      <SaveButton call={call} />
      <button type="button" className="icon-button picture-full" aria-label={t('phone.picture.full')} title={t('phone.picture.full')} onClick={flip}>
        <i className="pi pi-window-maximize" aria-hidden="true" />
      </button>
    </figure>
  );
}
