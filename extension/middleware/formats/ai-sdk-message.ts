import type { LanguageModelMiddleware } from 'ai';

type WrapGenerate = NonNullable<LanguageModelMiddleware['wrapGenerate']>;

/** The parameters of a call to an AI SDK model. */
export type AiSdkCall = Parameters<WrapGenerate>[0]['params'];

/** The result of a call without streaming. */
export type AiSdkResult = Awaited<ReturnType<WrapGenerate>>;

/** The stream of a call. */
export type AiSdkStream = Awaited<ReturnType<NonNullable<LanguageModelMiddleware['wrapStream']>>>['stream'];

export type AiSdkStreamPart = AiSdkStream extends ReadableStream<infer Part> ? Part : never;

export type AiSdkMessage = AiSdkCall['prompt'][number];

type MessageOf<R extends AiSdkMessage['role']> = Extract<AiSdkMessage, { role: R }>;

export type AiSdkToolMessage = MessageOf<'tool'>;

export type AiSdkUserPart = MessageOf<'user'>['content'][number];

export type AiSdkReplyPart = MessageOf<'assistant'>['content'][number];

export type AiSdkToolPart = AiSdkToolMessage['content'][number];

export type AiSdkToolResult = Extract<AiSdkToolPart, { type: 'tool-result' }>;
