import { oncePerText } from '../conversation/once-per';

/** Patterns of source code in any language. */
const codeMark = /[;{}]$|=>|➜|^(?:at|import|export|return|const|let|var|function)\s.*[(){};]|\(node:|^\$ /;

/** Whether a line is pasted code, log output or a stack trace rather than prose. */
export const isCode = oncePerText((sentence: string): boolean => {
  const letters = sentence.replace(/[^\p{L}\p{M} ]/gu, '').length;
  const digits = sentence.replace(/\P{N}/gu, '').length;
  const isProse = letters >= (sentence.length - digits) * 0.7 && letters >= sentence.length * 0.5;
  return codeMark.test(sentence) || !isProse;
});
