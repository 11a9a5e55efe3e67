// Prepares pictures for sending: no larger than needed, upright, and without metadata.

/** A JPEG without metadata up to this size is sent as it is, in bytes. */
const SMALL = 1_500_000;

/** A JPEG whose longer side has at most `longest` pixels; throws if the browser can't read the picture. */
export async function shrinkPicture(file, { longest, quality }) {
  // Older browsers refuse the name of what they do anyway.
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => createImageBitmap(file));
  const { width, height } = bitmap;
  const scale = Math.min(1, longest / Math.max(width, height));
  if (scale === 1 && file.size <= SMALL && file.type === 'image/jpeg' && !(await hasMetadata(file))) {
    bitmap.close();
    return file.slice(0, file.size, 'image/jpeg');
  }
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  const context = canvas.getContext('2d');
  // JPEG has no transparency: use white behind it, not black.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality));
  if (!blob) throw new Error('The browser made no picture.');
  return blob;
}

const APP1 = 0xe1;
const APP13 = 0xed;
const START_OF_SCAN = 0xda;

/** Whether a JPEG has metadata: EXIF and XMP are in APP1, IPTC in APP13 (ITU-T T.81, B.1). */
async function hasMetadata(file) {
  const bytes = new DataView(await file.arrayBuffer());
  if (bytes.byteLength < 4 || bytes.getUint16(0) !== 0xffd8) return true;
  let at = 2;
  while (at + 4 <= bytes.byteLength) {
    if (bytes.getUint8(at) !== 0xff) return true;
    const marker = bytes.getUint8(at + 1);
    if (marker === START_OF_SCAN) return false;
    if (marker === APP1 || marker === APP13) return true;
    at += 2 + bytes.getUint16(at + 2);
  }
  return true;
}
