import { type ReactNode, useState } from 'react';
import type { Amenity } from '#models/amenities.ts';
import type { Problem } from '#models/problem.ts';
import { Button } from '#src/components/button.tsx';
import { FileChoice } from '#src/components/file-choice.tsx';
import { pictureTypes } from '#src/components/picture-file.ts';
import { useText } from '#src/components/text.ts';
import { mayDo } from '#src/views/area/areas.tsx';
import type { PieceProps } from '#src/views/area/resource.ts';
import { useRequest } from '#src/views/area/use-request.ts';
import { useProfile } from '#src/views/profile-of.ts';
import { plainSubject } from '../subjects.ts';
import './amenities.css';

interface FileProps {
  part: 'image' | 'terms';
  types: string;
  url: string | null;
  mayChange: boolean;
  running: boolean;
  problem: Problem | null;
  onChoose: (file: File) => void;
  onRemove: () => void;
  children: ReactNode;
}

/** A file of an amenity with its buttons; stored and taken away at once, apart from the form. */
function AmenityFile({ part, types, url, mayChange, running, problem, onChoose, onRemove, children }: FileProps) {
  const { t } = useText();
  return (
    <div className="amenity-file">
      {url ? children : !mayChange && <span className="field-value-none">{t('list.none')}</span>}
      {mayChange && (
        <FileChoice
          types={types}
          name={t(`areas.amenities.${part}.choose`)}
          label={t(`areas.amenities.${part}.${url ? 'replace' : 'choose'}`)}
          loading={running}
          problem={problem}
          onChoose={onChoose}
        >
          {url && <Button tone="danger-quiet" small label={t(`areas.amenities.${part}.remove`)} onClick={onRemove} />}
        </FileChoice>
      )}
    </div>
  );
}

const useMayChange = ({ row, mode }: Pick<PieceProps<Amenity>, 'row' | 'mode'>): boolean => {
  const profile = useProfile();
  return row !== null && mode !== 'view' && mayDo(profile, { area: 'amenities', subject: plainSubject }, 'edit', row);
};

/** What an amenity looks like. */
export function ImagePiece({ row, mode, reload }: PieceProps<Amenity>) {
  const { t } = useText();
  const mayChange = useMayChange({ row, mode });
  const [stored, setStored] = useState<string | null>();
  const taken = (image: string | null): void => {
    setStored(image);
    reload();
  };
  const upload = useRequest('setAmenityImage', { done: ({ image }) => taken(image) });
  const remove = useRequest('removeAmenityImage', { done: () => taken(null) });
  if (!row) return <p className="quiet">{t('areas.amenities.after_saving')}</p>;
  const url = stored === undefined ? row.image : stored;
  return (
    <AmenityFile
      part="image"
      types={pictureTypes}
      url={url}
      mayChange={mayChange}
      running={upload.running}
      problem={upload.problem ?? remove.problem}
      onChoose={(image) => {
        remove.reset();
        upload.run({ params: { id: row.id }, files: { image } });
      }}
      onRemove={() => remove.run({ params: { id: row.id } })}
    >
      <img className="amenity-image" src={url ?? ''} alt={row.name} />
    </AmenityFile>
  );
}

/** What people agree to when they reserve it. */
export function TermsPiece({ row, mode, reload }: PieceProps<Amenity>) {
  const { t } = useText();
  const mayChange = useMayChange({ row, mode });
  const [stored, setStored] = useState<string | null>();
  const taken = (terms: string | null): void => {
    setStored(terms);
    reload();
  };
  const upload = useRequest('setAmenityTerms', { done: ({ terms_of_use }) => taken(terms_of_use) });
  const remove = useRequest('removeAmenityTerms', { done: () => taken(null) });
  if (!row) return <p className="quiet">{t('areas.amenities.after_saving')}</p>;
  const url = stored === undefined ? row.terms_of_use : stored;
  return (
    <AmenityFile
      part="terms"
      types="application/pdf"
      url={url}
      mayChange={mayChange}
      running={upload.running}
      problem={upload.problem ?? remove.problem}
      onChoose={(terms) => {
        remove.reset();
        upload.run({ params: { id: row.id }, files: { terms } });
      }}
      onRemove={() => remove.run({ params: { id: row.id } })}
    >
      <a href={url ?? ''} target="_blank" rel="noreferrer">
        <i className="pi pi-file-pdf" aria-hidden="true" /> {t('areas.amenities.terms.open')}
      </a>
    </AmenityFile>
  );
}
