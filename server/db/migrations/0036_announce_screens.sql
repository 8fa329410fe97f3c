ALTER TABLE "announce_messages" ADD COLUMN "words" text;--> statement-breakpoint
ALTER TABLE "announce_messages" ADD COLUMN "device_id" uuid;--> statement-breakpoint
ALTER TABLE "announce_messages" ADD COLUMN "task_id" uuid;--> statement-breakpoint
ALTER TABLE "announce_messages" ADD CONSTRAINT "announce_messages_device_id_devices_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."devices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "announce_messages" ADD CONSTRAINT "announce_messages_task_id_device_tasks_id_fk" FOREIGN KEY ("task_id") REFERENCES "public"."device_tasks"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "announce_messages_task" ON "announce_messages" USING btree ("task_id");--> statement-breakpoint
CREATE INDEX "announce_messages_device" ON "announce_messages" USING btree ("device_id");--> statement-breakpoint
ALTER TABLE "announce_messages" ADD CONSTRAINT "announce_messages_device_once" UNIQUE("announce_id","device_id");