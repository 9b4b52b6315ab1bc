import * as s from '../../platform/json/schemas';
import { blocksIn, jsonOf, markOf, namedPicture, pictureAt, type Said, said } from './content';

const source = s.record({
  type: s.name,
  media_type: s.name,
  data: s.text,
  url: s.text,
  file_id: s.text,
  content: s.anything,
});

const pictureBlock = s.record({ source });

const documentBlock = s.record({ title: s.text, context: s.text, source });

/** Reads a content block of a user message or a tool result. */
export function anthropicContent(block: s.JsonRecord): Said[] {
  switch (block.type) {
    case 'text':
      return said(s.read(s.text, block.text));
    case 'image':
      return picture(s.read(pictureBlock, block).source);
    case 'document':
      return document(s.read(documentBlock, block));
    default:
      return said(jsonOf(block));
  }
}

function picture({ type, media_type: mediaType, data, url, file_id: fileId }: s.Read<typeof source>): Said[] {
  if (type === 'base64') return [{ type: 'image', mediaType: mediaType ?? 'image/*', data }];
  return type === 'url' ? pictureAt(url) : namedPicture(fileId);
}

function document({ title, context, source }: s.Read<typeof documentBlock>): Said[] {
  return [...said(title), ...said(context), ...documentContent(source)];
}

function documentContent({ type, media_type: mediaType, data, url, file_id, content }: s.Read<typeof source>): Said[] {
  switch (type) {
    case 'text':
      return said(data);
    case 'base64':
      return [markOf(`document ${mediaType ?? ''}`.trim(), data)];
    case 'content':
      if (typeof content === 'string') return said(content);
      // A document cannot contain documents, so the recursion is shallow.
      return blocksIn(content).flatMap(innerBlock);
    default:
      return said(`[document ${url || file_id}]`);
  }
}

function innerBlock(block: s.JsonRecord): Said[] {
  return block.type === 'document' ? said(jsonOf(block)) : anthropicContent(block);
}
