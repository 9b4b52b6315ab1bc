import type { ImagePart, Part } from '../../../engine/conversation/entry';
import { dataUrl } from '../../../platform/json/data-url';
import * as s from '../../../platform/json/schemas';
import { jsonText } from './records';

const contentBlock = s.record({ type: s.name, text: s.text, refusal: s.text, image_url: s.text });

/** Content of a message or of a tool's output: a string, or a list of blocks. */
export function contentParts(content: unknown): Part[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return s.read(s.jsonRecords, content).map(blockPart);
}

function blockPart(block: s.JsonRecord): Part {
  const { type, text, refusal, image_url: url } = s.read(contentBlock, block);
  switch (type) {
    case 'input_text':
    case 'output_text':
    case 'text':
      return { type: 'text', text };
    case 'refusal':
      return { type: 'text', text: refusal };
    case 'input_image':
      return imagePart(url);
    default:
      // A block of an unknown type takes up context too, so it is shown as JSON.
      return { type: 'text', text: jsonText(block) };
  }
}

/** A data URL becomes a picture; any other address is only named. */
function imagePart(url: string): ImagePart {
  const picture = dataUrl(url);
  return { type: 'image', mediaType: picture?.mediaType ?? 'image/*', data: picture?.data ?? null };
}
