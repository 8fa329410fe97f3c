import { drawnCode } from '#src/components/qr-code.tsx';

/** One module of the code as so many pixels: large enough to print. */
const modulePixels = 16;

const fileName = (name: string, extension: string): string => `${name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')}.${extension}`;

function download(bytes: Blob, name: string): void {
  const address = URL.createObjectURL(bytes);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}

/** A QR code as an SVG file, dark on light. */
export function downloadSvg(text: string, name: string): void {
  const { size, path } = drawnCode(text);
  const picture = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/><path d="${path}"/></svg>`;
  download(new Blob([picture], { type: 'image/svg+xml' }), fileName(name, 'svg'));
}

/** A QR code as a PNG file, dark on light. */
export async function downloadPng(text: string, name: string): Promise<void> {
  const { size, path } = drawnCode(text);
  const canvas = document.createElement('canvas');
  canvas.width = size * modulePixels;
  canvas.height = size * modulePixels;
  const context = canvas.getContext('2d');
  if (!context) return;
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.scale(modulePixels, modulePixels);
  context.fillStyle = '#000';
  context.fill(new Path2D(path));
  const bytes = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'));
  if (bytes) download(bytes, fileName(name, 'png'));
}
