CREATE TABLE "announce_groups" (
	"announce_id" uuid NOT NULL,
	"group_id" uuid NOT NULL,
	CONSTRAINT "announce_groups_announce_id_group_id_pk" PRIMARY KEY("announce_id","group_id")
);
--> statement-breakpoint
CREATE TABLE "announce_markers" (
	"announce_id" uuid NOT NULL,
	"marker_id" uuid NOT NULL,
	CONSTRAINT "announce_markers_announce_id_marker_id_pk" PRIMARY KEY("announce_id","marker_id")
);
--> statement-breakpoint
CREATE TABLE "announce_messages" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"announce_id" uuid NOT NULL,
	"user_id" uuid,
	"channel" text NOT NULL,
	"state" text DEFAULT 'queued' NOT NULL,
	"reason" text,
	"mail_id" uuid,
	"changed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "announce_messages_once" UNIQUE("announce_id","channel","user_id")
);
--> statement-breakpoint
CREATE TABLE "announce_recipients" (
	"announce_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"seen_at" timestamp (3) with time zone,
	CONSTRAINT "announce_recipients_announce_id_user_id_pk" PRIMARY KEY("announce_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "announce_roles" (
	"announce_id" uuid NOT NULL,
	"role_id" uuid NOT NULL,
	CONSTRAINT "announce_roles_announce_id_role_id_pk" PRIMARY KEY("announce_id","role_id")
);
--> statement-breakpoint
CREATE TABLE "announce_users" (
	"announce_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	CONSTRAINT "announce_users_announce_id_user_id_pk" PRIMARY KEY("announce_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "announce_votes" (
	"announce_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"answer" integer,
	"custom" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "announce_votes_announce_id_user_id_pk" PRIMARY KEY("announce_id","user_id"),
	CONSTRAINT "announce_votes_one" CHECK (("announce_votes"."answer" is null) <> ("announce_votes"."custom" is null))
);
--> statement-breakpoint
CREATE TABLE "announces" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_by" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"project_id" uuid NOT NULL,
	"type" text NOT NULL,
	"status" text DEFAULT 'new' NOT NULL,
	"title" text NOT NULL,
	"body" text NOT NULL,
	"send_via" text[] NOT NULL,
	"answers" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"custom_answer" boolean DEFAULT false NOT NULL,
	"execute_at" timestamp (3) with time zone,
	"ends_at" timestamp (3) with time zone,
	"started_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"sender_id" uuid,
	"token" text NOT NULL,
	CONSTRAINT "announces_token_unique" UNIQUE("token")
);
--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "once" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "sending_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "announce_groups" ADD CONSTRAINT "announce_groups_announce_id_announces_id_fk" FOREIGN KEY ("announce_id") REFERENCES "public"."announces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "announce_groups" ADD CONSTRAINT "announce_groups_group_id_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."groups"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "announce_markers" ADD CONSTRAINT "announce_markers_announce_id_announces_id_fk" FOREIGN KEY ("announce_id") REFERENCES "public"."announces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "announce_markers" ADD CONSTRAINT "announce_markers_marker_id_markers_id_fk" FOREIGN KEY ("marker_id") REFERENCES "public"."markers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "announce_messages" ADD CONSTRAINT "announce_messages_announce_id_announces_id_fk" FOREIGN KEY ("announce_id") REFERENCES "public"."announces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "announce_messages" ADD CONSTRAINT "announce_messages_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "announce_messages" ADD CONSTRAINT "announce_messages_mail_id_mails_id_fk" FOREIGN KEY ("mail_id") REFERENCES "public"."mails"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "announce_recipients" ADD CONSTRAINT "announce_recipients_announce_id_announces_id_fk" FOREIGN KEY ("announce_id") REFERENCES "public"."announces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "announce_recipients" ADD CONSTRAINT "announce_recipients_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "announce_roles" ADD CONSTRAINT "announce_roles_announce_id_announces_id_fk" FOREIGN KEY ("announce_id") REFERENCES "public"."announces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "announce_roles" ADD CONSTRAINT "announce_roles_role_id_roles_id_fk" FOREIGN KEY ("role_id") REFERENCES "public"."roles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "announce_users" ADD CONSTRAINT "announce_users_announce_id_announces_id_fk" FOREIGN KEY ("announce_id") REFERENCES "public"."announces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "announce_users" ADD CONSTRAINT "announce_users_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "announce_votes" ADD CONSTRAINT "announce_votes_recipient" FOREIGN KEY ("announce_id","user_id") REFERENCES "public"."announce_recipients"("announce_id","user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "announces" ADD CONSTRAINT "announces_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "announces" ADD CONSTRAINT "announces_sender_id_users_id_fk" FOREIGN KEY ("sender_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "announce_groups_back" ON "announce_groups" USING btree ("group_id");--> statement-breakpoint
CREATE INDEX "announce_markers_back" ON "announce_markers" USING btree ("marker_id");--> statement-breakpoint
CREATE INDEX "announce_messages_mail" ON "announce_messages" USING btree ("mail_id");--> statement-breakpoint
CREATE INDEX "announce_messages_user" ON "announce_messages" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "announce_messages_queued" ON "announce_messages" USING btree ("announce_id") WHERE "announce_messages"."state" = 'queued' and "announce_messages"."mail_id" is null;--> statement-breakpoint
CREATE INDEX "announce_recipients_back" ON "announce_recipients" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "announce_roles_back" ON "announce_roles" USING btree ("role_id");--> statement-breakpoint
CREATE INDEX "announce_users_back" ON "announce_users" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "announces_time" ON "announces" USING btree ("project_id","created_at","id");--> statement-breakpoint
CREATE INDEX "announces_open" ON "announces" USING btree ("status") WHERE "announces"."status" in ('planned', 'started');