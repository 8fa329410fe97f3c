ALTER TABLE "announce_messages" ADD COLUMN "attempts" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "announce_messages" ADD COLUMN "next_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "announce_messages" ADD COLUMN "sending_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "announce_messages_sms" ON "announce_messages" USING btree ("next_at") WHERE "announce_messages"."channel" = 'sms' and "announce_messages"."state" = 'queued';