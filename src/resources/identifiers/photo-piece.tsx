import { useState } from 'react';
import type { Identifier } from '#models/identifiers.ts';
import type { Issue } from '#models/issues.ts';
import { photoIssue } from '#models/photo-check.ts';
import { FileChoice } from '#src/components/file-choice.tsx';
import { fileIssue, pictureTypes } from '#src/components/picture-file.ts';
import { useText } from '#src/components/text.ts';
import type { PieceProps } from '#src/views/area/resource.ts';
import { useRequest } from '#src/views/area/use-request.ts';
import { mayDo } from '#src/views/area/areas.tsx';
import { useProfile } from '#src/views/profile-of.ts';
import { plainSubject } from '../subjects.ts';
import { photoFacts } from './photo-facts.ts';
import './identifiers.css';

type Finding = Pick<Issue, 'rule' | 'params'>;

/** What is wrong with a chosen file, as far as it can be told before it is sent. */
async function findingOf(file: File): Promise<Finding | undefined> {
  const tooLarge = fileIssue(file);
  if (tooLarge) return tooLarge;
  try {
    return photoIssue(await photoFacts(file)) ?? undefined;
  } catch {
    return { rule: 'photo_unreadable', params: {} };
  }
}

/** The photo by which a face is recognised: judged when it is chosen, stored at once, apart from the form. */
export function PhotoPiece({ row, mode, reload }: PieceProps<Identifier>) {
  const { t } = useText();
  const profile = useProfile();
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
  return (
    <div className="photo-piece">
      {url ? <img src={url} alt={t('areas.identifiers.photo.of', { name: row.name })} /> : <i className="pi pi-user" aria-hidden="true" />}
      <div>
        {mayChange && (
          <FileChoice
            types={pictureTypes}
            name={t('areas.identifiers.photo.choose')}
            label={t(url ? 'areas.identifiers.photo.replace' : 'areas.identifiers.photo.choose')}
            loading={upload.running}
            problem={upload.problem}
            judge={findingOf}
            onChoose={(image) => upload.run({ params: { id: row.id }, files: { image } })}
          >
            <p className="field-hint">{t('areas.identifiers.photo.hint')}</p>
          </FileChoice>
        )}
      </div>
    </div>
  );
}
