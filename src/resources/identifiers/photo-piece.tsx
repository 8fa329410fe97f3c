import { useRef, useState } from 'react';
import type { Identifier } from '#models/identifiers.ts';
import type { Issue } from '#models/issues.ts';
import { photoIssue } from '#models/photo-check.ts';
import { Button } from '#src/components/button.tsx';
import { fileIssue, pictureTypes } from '#src/components/picture-file.ts';
import { sayIssue, useProblemText, useText } from '#src/components/text.ts';
import type { PieceProps } from '#src/views/area/resource.ts';
import { useRequest } from '#src/views/area/use-request.ts';
import { mayDo } from '#src/views/area/areas.tsx';
import { useProfile } from '#src/views/profile-of.ts';
import { plainSubject } from '../subjects.ts';
import { photoFacts } from './photo-facts.ts';
import './identifiers.css';

type Finding = Pick<Issue, 'rule' | 'params'>;

/** What is wrong with a chosen file, as far as it can be told before it is sent. */
async function findingOf(file: File): Promise<Finding | null> {
  const tooLarge = fileIssue(file);
  if (tooLarge) return tooLarge;
  try {
    return photoIssue(await photoFacts(file));
  } catch {
    return { rule: 'photo_unreadable', params: {} };
  }
}

/** The photo by which a face is recognised: judged when it is chosen, stored at once, apart from the form. */
export function PhotoPiece({ row, mode, reload }: PieceProps<Identifier>) {
  const words = useText();
  const { t } = words;
  const sayProblem = useProblemText();
  const profile = useProfile();
  const input = useRef<HTMLInputElement>(null);
  const [finding, setFinding] = useState<Finding | null>(null);
  const [stored, setStored] = useState<string>();
  const upload = useRequest('setIdentifierPhoto', {
    done: ({ photo }) => {
      setStored(photo);
      reload();
    },
  });
  if (!row) return <p className="quiet">{t('areas.identifiers.photo.after_saving')}</p>;
  const url = stored ?? row.photo;
  const mayChange = mode !== 'view' && mayDo(profile, { area: 'identifiers', subject: plainSubject }, 'edit', row);
  const choose = async (file: File) => {
    upload.reset();
    const found = await findingOf(file);
    setFinding(found);
    if (!found) upload.run({ params: { id: row.id }, files: { image: file } });
  };
  const said = upload.problem ? sayProblem(upload.problem) : finding && sayIssue(words, finding);
  return (
    <div className="photo-piece">
      {url ? <img src={url} alt={t('areas.identifiers.photo.of', { name: row.name })} /> : <i className="pi pi-user" aria-hidden="true" />}
      <div>
        {mayChange && (
          <>
            <input
              ref={input}
              type="file"
              accept={pictureTypes}
              hidden
              aria-label={t('areas.identifiers.photo.choose')}
              onChange={({ target }) => {
                const [file] = target.files ?? [];
                if (file) void choose(file);
                target.value = '';
              }}
            />
            <Button
              tone="plain"
              small
              icon="pi-upload"
              label={t(url ? 'areas.identifiers.photo.replace' : 'areas.identifiers.photo.choose')}
              loading={upload.running}
              onClick={() => input.current?.click()}
            />
            <p className="field-hint">{t('areas.identifiers.photo.hint')}</p>
          </>
        )}
        {said && (
          <p className="field-issue" role="alert">
            {said}
          </p>
        )}
      </div>
    </div>
  );
}
