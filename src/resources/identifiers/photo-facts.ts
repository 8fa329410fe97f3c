import { greyOf, judgedSize, type PhotoFacts, sharpnessOf } from '#models/photo-check.ts';

/** Size and sharpness of a picture file, as the browser reads it. @throws where it is no picture */
export async function photoFacts(file: Blob): Promise<PhotoFacts> {
  const picture = await createImageBitmap(file);
  try {
    const { width, height } = picture;
    const small = judgedSize(width, height);
    const canvas = document.createElement('canvas');
    canvas.width = small.width;
    canvas.height = small.height;
    const context = canvas.getContext('2d', { willReadFrequently: true });
    if (!context) throw new Error('no canvas');
    context.drawImage(picture, 0, 0, small.width, small.height);
    const { data } = context.getImageData(0, 0, small.width, small.height);
    return { width, height, sharpness: sharpnessOf(greyOf(data, 4), small.width, small.height) };
  } finally {
    picture.close();
  }
}
