CREATE TABLE "phone_servers" (
	"project_id" uuid PRIMARY KEY NOT NULL,
	"host" text NOT NULL,
	"port" integer NOT NULL,
	"secure" boolean NOT NULL,
	"realm" text
);
--> statement-breakpoint
ALTER TABLE "calls" ADD COLUMN "trunk_name" text;--> statement-breakpoint
ALTER TABLE "calls" ADD COLUMN "trunk_status" integer;--> statement-breakpoint
ALTER TABLE "calls" ADD COLUMN "trunk_reason" text;--> statement-breakpoint
ALTER TABLE "sip_trunks" ADD COLUMN "incoming_authentication" text DEFAULT 'digest' NOT NULL;--> statement-breakpoint
ALTER TABLE "sip_trunks" ADD COLUMN "allow_panel_calls" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "sip_trunks" ADD COLUMN "allow_panel_keys" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "phone_servers" ADD CONSTRAINT "phone_servers_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;