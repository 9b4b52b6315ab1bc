import { asList, asName, asRecord, asText, type JsonRecord } from '../../sessions/records/json';
import { jsonOf, markOf, namedPicture, pictureAt, type Said, said } from './content';

/** Reads a content block of a user message or a tool result. */
export function anthropicContent(block: JsonRecord): Said[] {
  switch (block.type) {
    case 'text':
      return said(asText(block.text));
    case 'image':
      return picture(asRecord(block.source) ?? {});
    case 'document':
      return document(block, asRecord(block.source) ?? {});
    default:
      return said(jsonOf(block));
  }
}

function picture({ type, media_type, data, url, file_id }: JsonRecord): Said[] {
  if (type === 'base64')
    return [{ type: 'image', mediaType: asName(media_type) ?? 'image/*', data: asText(data) ?? '' }];
  return type === 'url' ? pictureAt(asText(url) ?? '') : namedPicture(asText(file_id) ?? '');
}

function document({ title, context }: JsonRecord, source: JsonRecord): Said[] {
  return [...said(asText(title)), ...said(asText(context)), ...documentContent(source)];
}

function documentContent(source: JsonRecord): Said[] {
  const { type, data, content } = source;
  switch (type) {
    case 'text':
      return said(asText(data));
    case 'base64':
      return [markOf(`document ${asText(source.media_type) ?? ''}`.trim(), asText(data) ?? '')];
    case 'content':
      if (typeof content === 'string') return said(content);
      // A document cannot contain documents, so the recursion is shallow.
      return asList(content).flatMap((block) => innerBlock(asRecord(block) ?? {}));
    default:
      return said(`[document ${asName(source.url) ?? asName(source.file_id) ?? ''}]`);
  }
}

function innerBlock(block: JsonRecord): Said[] {
  return block.type === 'document' ? said(jsonOf(block)) : anthropicContent(block);
}
