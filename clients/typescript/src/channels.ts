import { enumNumber, type NameOf } from "./enum-names.js";
import { type Channel, ChannelSchema } from "./generated/camillo/v1/channel_pb.js";

/** Where an answer will be shown, by name or number. */
export type ChannelLike = NameOf<typeof Channel> | Channel;

/** The number of a channel; without one the choice is the server's. */
export function channelNumber(channel: ChannelLike | undefined): number {
  return channel === undefined ? 0 : enumNumber(ChannelSchema, channel);
}
