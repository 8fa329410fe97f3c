import { Button } from '#src/components/button.tsx';
import { useEffect, useMemo, useState } from 'react';
import ReactCrop, { centerCrop, makeAspectCrop, type PercentCrop } from 'react-image-crop';
import 'react-image-crop/dist/ReactCrop.css';
import { Modal } from './modal.tsx';
import { fileIssue } from './picture-file.ts';
import { sayIssue, useText } from './text.ts';
import './image-cropper.css';

/** The chosen square in the picture's own pixels. */
export interface Square {
  x: number;
  y: number;
  size: number;
}

interface ImageCropperProps {
  file: File;
  busy: boolean;
  problem: string | undefined;
  onDone: (square: Square) => void;
  onClose: () => void;
}

/** The largest square in the middle, to begin with. */
const middle = (width: number, height: number): PercentCrop => centerCrop(makeAspectCrop({ unit: '%', width: 90 }, 1, width, height), width, height);

/** A crop in percent as a square inside a picture of that many pixels. */
export function squareOf(crop: PercentCrop, width: number, height: number): Square {
  const x = Math.round((crop.x / 100) * width);
  const y = Math.round((crop.y / 100) * height);
  const size = Math.max(1, Math.min(Math.round((crop.width / 100) * width), width - x, height - y));
  return { x, y, size };
}

/** Chooses the square of a picture that becomes the avatar. */
export default function ImageCropper({ file, busy, problem, onDone, onClose }: ImageCropperProps) {
  const words = useText();
  const { t } = words;
  const wrong = fileIssue(file);
  const address = useMemo(() => URL.createObjectURL(file), [file]);
  const [crop, setCrop] = useState<PercentCrop>();
  const [picture, setPicture] = useState<{ width: number; height: number } | 'unreadable'>();
  useEffect(() => () => URL.revokeObjectURL(address), [address]);
  const readable = !wrong && picture !== undefined && picture !== 'unreadable';
  return (
    <Modal
      title={t('list.crop.title')}
      onDismiss={busy ? undefined : onClose}
      footer={
        <>
          <Button tone="plain" label={t('list.cancel')} disabled={busy} onClick={onClose} />
          <Button
            label={t('list.crop.save')}
            loading={busy}
            disabled={!readable || !crop}
            onClick={() => readable && crop && onDone(squareOf(crop, picture.width, picture.height))}
          />
        </>
      }
    >
      {wrong || picture === 'unreadable' ? (
        <p className="field-issue" role="alert">
          {wrong ? sayIssue(words, wrong) : t('list.crop.unreadable')}
        </p>
      ) : (
        <ReactCrop {...(crop && { crop })} aspect={1} circularCrop keepSelection minWidth={32} onChange={(_, percent) => setCrop(percent)}>
          <img
            src={address}
            alt={t('list.crop.picture')}
            className="cropper-picture"
            onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) => {
              setPicture({ width, height });
              setCrop(middle(width, height));
            }}
            onError={() => setPicture('unreadable')}
          />
        </ReactCrop>
      )}
      {problem && (
        <p className="field-issue" role="alert">
          {problem}
        </p>
      )}
    </Modal>
  );
}
