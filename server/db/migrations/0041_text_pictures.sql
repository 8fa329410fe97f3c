CREATE TABLE "announce_pictures" (
	"announce_id" uuid NOT NULL,
	"picture_id" uuid NOT NULL,
	CONSTRAINT "announce_pictures_announce_id_picture_id_pk" PRIMARY KEY("announce_id","picture_id")
);
--> statement-breakpoint
CREATE TABLE "message_pictures" (
	"message_id" uuid NOT NULL,
	"picture_id" uuid NOT NULL,
	"place" integer NOT NULL,
	CONSTRAINT "message_pictures_message_id_picture_id_pk" PRIMARY KEY("message_id","picture_id")
);
--> statement-breakpoint
CREATE TABLE "text_pictures" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"uploaded_by" uuid,
	"width" integer NOT NULL,
	"height" integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE "announce_pictures" ADD CONSTRAINT "announce_pictures_announce_id_announces_id_fk" FOREIGN KEY ("announce_id") REFERENCES "public"."announces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "announce_pictures" ADD CONSTRAINT "announce_pictures_picture_id_text_pictures_id_fk" FOREIGN KEY ("picture_id") REFERENCES "public"."text_pictures"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_pictures" ADD CONSTRAINT "message_pictures_message_id_conversation_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."conversation_messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_pictures" ADD CONSTRAINT "message_pictures_picture_id_text_pictures_id_fk" FOREIGN KEY ("picture_id") REFERENCES "public"."text_pictures"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "text_pictures" ADD CONSTRAINT "text_pictures_id_files_id_fk" FOREIGN KEY ("id") REFERENCES "public"."files"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "text_pictures" ADD CONSTRAINT "text_pictures_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "text_pictures" ADD CONSTRAINT "text_pictures_uploaded_by_users_id_fk" FOREIGN KEY ("uploaded_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "announce_pictures_back" ON "announce_pictures" USING btree ("picture_id");--> statement-breakpoint
CREATE INDEX "message_pictures_back" ON "message_pictures" USING btree ("picture_id");--> statement-breakpoint
CREATE INDEX "text_pictures_uploader" ON "text_pictures" USING btree ("uploaded_by");